import { describe, expect, it } from "vitest";
import type { Method } from "../../contracts/index.ts";
import { CREDENTIAL, CREDENTIALS } from "../support/credentials.ts";
import { refusal } from "./suite.ts";
import type { Open } from "./suite.ts";
import { callAny, entries, stateOf } from "./writes-support.ts";

const note = `see ${CREDENTIAL} there`;
const where = { rule: "github", offset: 4, length: CREDENTIAL.length };

/** Every place of a write's arguments where a caller's string is stored. */
const PLACES: readonly [method: Method, path: string, args: (a: string, b: string) => unknown[]][] =
  [
    ["capture", "content", () => [note]],
    ["capture", "options.source", () => ["x", { source: note }]],
    ["capture", "options.evidenceRef", () => ["x", { evidenceRef: note }]],
    ["capture", "options.tags.1", () => ["x", { tags: ["a", note] }]],
    ["captureMany", "items.1.content", () => [[{ content: "x" }, { content: note }]]],
    ["captureMany", "items.1.source", () => [[{ content: "x" }, { content: "y", source: note }]]],
    ["append", "addition", (a) => [a, note]],
    ["append", "options.source", (a) => [a, "more", { source: note }]],
    ["update", "content", (a) => [a, note]],
    ["update", "options.evidenceRef", (a) => [a, null, { evidenceRef: note }]],
    ["setStatus", "options.reason", (a) => [a, "deprecated", { reason: note }]],
    [
      "link",
      "options.metadata.deep.0",
      (a, b) => [a, b, "follows", { metadata: { deep: [note] } }],
    ],
    ["link", "options.metadata", (a, b) => [a, b, "follows", { metadata: { [note]: 1 } }]],
  ];

export function registerSecretTests(open: Open): void {
  describe("credentials", () => {
    it.each(CREDENTIALS)(
      "[SEC-1] of the format %s are refused in a text",
      async (rule, credential) => {
        const { owner } = await open();
        const error = await refusal(owner.capture(`The key:\n${credential}\nis in use.`));
        expect(error).toMatchObject({ code: "invalid_input", details: { path: "content", rule } });
        expect(JSON.stringify([error.message, error.details])).not.toContain(
          credential.slice(9, 30),
        );
        expect(await owner.getCount()).toBe(0);
      },
    );

    it.each(PLACES)(
      "[SEC-1] are refused by %s at %s, and nothing is written",
      async (method, path, args) => {
        const { owner } = await open();
        const [a = "", b = ""] = await entries(owner, 2);
        const before = await stateOf(owner, a);
        const error = await refusal(callAny(owner, method, args(a, b)));
        expect(error).toMatchObject({ code: "invalid_input", details: { path, ...where } });
        expect(JSON.stringify([error.message, error.details])).not.toContain(CREDENTIAL);
        expect(await stateOf(owner, a)).toEqual(before);
        expect(await owner.getCount()).toBe(2);
      },
    );

    it("[SEC-1] are each named, the first ten, with the item of a captureMany", async () => {
      const { owner } = await open();
      const content = `${CREDENTIAL} `.repeat(12);
      const error = await refusal(owner.captureMany([{ content: "x" }, { content }]));
      expect(error.details).toMatchObject({ index: 1, path: "items.1.content", offset: 0 });
      const step = CREDENTIAL.length + 1;
      expect(error.details["secrets"]).toEqual(
        Array.from({ length: 10 }, (_, n) => ({
          path: "items.1.content",
          rule: "github",
          offset: n * step,
          length: CREDENTIAL.length,
        })),
      );
    });

    it("[SEC-1] are looked for in what is written, not in what is asked", async () => {
      const { owner } = await open();
      expect((await owner.recall(note)).hits).toEqual([]);
    });

    it.each([
      "The token is in the vault under ci/github; it begins with ghp_ and has 40 characters.",
      "AKIAIOSFODNN7EXAMPLE is the example of the manual; account id: 123456789012",
      "Set DATABASE_URL=postgres://localhost:5432/shop and NPM_TOKEN=${NPM_TOKEN}",
      "commit df40b99d1c0ffee1234567890abcdef123456789, sha256-dPnplMyjJYpVCJDNTjpUA8c/AfoHbWANJJJWKroK50D=",
      "https://user@example.org/a:b@c 0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
    ])("[SEC-1] are not seen in: %s", async (text) => {
      const { owner } = await open();
      expect((await owner.capture(text)).created).toBe(true);
    });
  });
}
