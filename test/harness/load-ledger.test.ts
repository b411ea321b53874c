import { describe, expect, it } from "vitest";
import { faultsOf } from "../../bench/load/ledger.ts";
import type { Ledger } from "../../bench/load/ledger.ts";
import type { Inspection } from "../support/inspection.ts";

/* What the load bench concludes is worth as much as its ledger: each kind of loss must be seen. */

/** One entry, captured as "one", then appended to, then canonical; and an edge. */
const stored: Inspection = {
  broken: [],
  entries: [{ id: "a", revision: 3, status: "canonical", content: "one\n\ntwo" }],
  revisions: [
    { id: "a", revision: 2, changes: "{}", content: "one" },
    { id: "a", revision: 3, changes: '{"status":["draft","canonical"]}', content: null },
  ],
  edges: [{ src: "a", dst: "b", type: "relates_to" }],
};

const ledger: Ledger = {
  loaded: 0,
  doubtful: 0,
  answered: [
    { method: "capture", id: "a", content: "one" },
    { method: "append", id: "a", revision: 2, addition: "two" },
    { method: "setStatus", id: "a", revision: 3, status: "canonical" },
    { method: "link", src: "a", dst: "b", type: "relates_to" },
  ],
};

const answering = (...more: Ledger["answered"]): Ledger => ({
  ...ledger,
  answered: [...ledger.answered, ...more],
});

describe("the load bench's ledger", () => {
  it("finds nothing where everything is there", () => {
    expect(faultsOf(ledger, stored)).toEqual([]);
  });

  it.each<Ledger["answered"][number]>([
    { method: "append", id: "a", revision: 2, addition: "three" },
    { method: "update", id: "a", revision: 3, content: "one" },
    { method: "setStatus", id: "a", revision: 2, status: "canonical" },
    { method: "link", src: "b", dst: "a", type: "relates_to" },
    { method: "append", id: "x", revision: 2, addition: "two" },
  ])("sees that this was lost: %j", (write) => {
    expect(faultsOf(answering(write), stored)).toContain(`lost: ${JSON.stringify(write)}`);
  });

  it("sees a capture that was lost, and one of other bytes", () => {
    const lost = { method: "capture", id: "b", content: "other" } as const;
    const other = { method: "capture", id: "a", content: "One" } as const;
    expect(faultsOf(answering(lost, other), stored)).toEqual([
      `lost: ${JSON.stringify(lost)}`,
      `lost: ${JSON.stringify(other)}`,
      "1 entries, where 3 were answered and 0 are in doubt",
    ]);
  });

  it("sees two new texts answered as the same revision", () => {
    const again = { method: "append", id: "a", revision: 2, addition: "two" } as const;
    expect(faultsOf(answering(again), stored)).toEqual(["answered twice: a revision 2"]);
  });

  it("sees a revision without history", () => {
    const entries = [{ ...stored.entries[0]!, revision: 4 }];
    expect(faultsOf(ledger, { ...stored, entries })).toEqual([
      "a has a revision that is not in its history",
    ]);
  });

  it("sees an entry that nobody wrote, and lets what is in doubt be there", () => {
    const entries = [...stored.entries, { id: "b", revision: 1, status: "draft", content: "b" }];
    expect(faultsOf(ledger, { ...stored, entries })).toEqual([
      "2 entries, where 1 were answered and 0 are in doubt",
    ]);
    expect(faultsOf({ ...ledger, doubtful: 1 }, { ...stored, entries })).toEqual([]);
  });

  it("sees a broken index", () => {
    expect(faultsOf(ledger, { ...stored, broken: ["vocabulary"] })).toEqual([
      "not as the entries say: vocabulary",
    ]);
  });
});
