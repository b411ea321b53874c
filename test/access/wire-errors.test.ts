import { describe, expect, it } from "vitest";
import { ERROR_CODES, forbiddenMethod, MiniSphereError } from "../../contracts/errors.ts";
import { callError, type FailureReport, onSendError } from "../../src/access/wire-errors.ts";

/** The error as it leaves, and what was reported of it. */
function sent(error: Error) {
  const reports: FailureReport[] = [];
  return { error: onSendError((report) => reports.push(report))(error), reports };
}

const CAPTURE = { method: "capture", workspace: "00112233aabbccdd" };

/** The error of a failed capture, and what was reported of it. */
function failed(thrown: unknown) {
  const reports: FailureReport[] = [];
  return { error: callError(thrown, CAPTURE, (report) => reports.push(report)), reports };
}

describe("an error on its way out", () => {
  it.each(ERROR_CODES)(
    "[ERR-1] keeps code, sentence and details of %s, and nothing more",
    (code) => {
      const error = new MiniSphereError(code, "What was wrong.", { id: "0000abcd" });
      const crossed = Object.assign(error, { durableObjectId: "0".repeat(64), remote: true });
      const out = sent(crossed);
      expect({ ...out.error }).toEqual({
        name: "MiniSphereError",
        code,
        details: { id: "0000abcd" },
      });
      expect(out.error.message).toBe("What was wrong.");
      expect(out.error.stack).toBeUndefined();
    },
  );

  it.each([
    new Error("no such table: entries: SQLITE_ERROR"),
    Object.assign(new Error("UNIQUE constraint failed: entries.id"), { code: "SQLITE_CONSTRAINT" }),
    new TypeError("held is not a function"),
    new RangeError("Maximum call stack size exceeded"),
    new MiniSphereError("teapot" as never, "A code of no set."),
  ])("[ERR-2] becomes internal when it is not ours: %s", (error) => {
    const out = sent(error);
    const requestId = out.reports[0]?.requestId;
    expect(out.error).toMatchObject({ code: "internal", details: { requestId } });
    expect(out.error.message).toBe(`Something failed here; quote the request id ${requestId}.`);
    expect(out.error.stack).toBeUndefined();
    expect(out.reports).toHaveLength(1);
    expect(out.reports[0]?.error).not.toContain(error.message);
  });

  it.each(["overloaded", "retryable", "durableObjectReset"])(
    "[ERR-2] becomes unavailable when the platform says %s",
    (flag) => {
      const reports: FailureReport[] = [];
      const error = Object.assign(new Error("Durable Object reset: entries.ts"), { [flag]: true });
      expect(callError(error, CAPTURE, (report) => reports.push(report))).toMatchObject({
        code: "unavailable",
        message: "The workspace is busy or restarting; try again in a moment.",
        details: {},
      });
      expect(reports).toMatchObject([{ ...CAPTURE, code: "unavailable" }]);
    },
  );

  it("takes what is thrown and is no error", () => {
    const reports: FailureReport[] = [];
    const error = callError("a string", CAPTURE, (report) => reports.push(report));
    expect(error.code).toBe("internal");
    expect(reports).toMatchObject([{ ...CAPTURE, error: "string" }]);
  });

  it("drops details that are not an object", () => {
    const error = Object.assign(new Error("x"), { code: "conflict", details: "text" });
    expect(sent(error).error).toMatchObject({ code: "conflict", details: {} });
  });

  it("does not take the end of a connection for a failure of ours", () => {
    const out = sent(new Error("Peer closed WebSocket: 1005 "));
    expect(out.error).toMatchObject({ code: "unavailable" });
    expect(out.reports).toEqual([]);
  });
});

describe("[ERR-4] the line of a failed call", () => {
  it.each(ERROR_CODES)(
    "has method, code, workspace and request id, and no words, for %s",
    (code) => {
      const { error, reports } = failed(new MiniSphereError(code, "Words.", { path: "content" }));
      expect(reports).toEqual([
        {
          event: "call_failed",
          requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          ...CAPTURE,
          code,
        },
      ]);
      expect(error).toMatchObject({ code, message: "Words." });
    },
  );

  it("is written once, though the error passes again on its way to the peer", () => {
    const { error, reports } = failed(new MiniSphereError("conflict", "Words."));
    expect(onSendError((report) => reports.push(report))(error)).toBe(error);
    expect(reports).toHaveLength(1);
  });

  it("says of an error that is not ours what it was and where, without what it says", () => {
    const content = "a diary\n    at home (diary.ts:1:1)\nwith words";
    const thrown = new SyntaxError(`Unexpected token in "${content}"`);
    const [line] = failed(thrown).reports;
    expect(line?.error).toMatch(/^SyntaxError\n +at /);
    expect(JSON.stringify(line)).not.toMatch(/diary|words|token/);
  });

  it("keeps SQLite's code of an error of the database", () => {
    const words =
      "UNIQUE constraint failed: entries.id: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_UNIQUE)";
    expect(failed(new Error(words)).reports[0]?.error).toMatch(/^Error SQLITE_CONSTRAINT_UNIQUE\n/);
  });

  it("names the method that a role lacks, and no word that is no method", () => {
    const named = (method: string) => sent(forbiddenMethod(method)).reports[0]?.method;
    expect([named("forget"), named("my diary")]).toEqual(["forget", null]);
  });
});
