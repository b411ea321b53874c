import { describe, expect, it } from "vitest";
import { expectInvariant } from "../support/invariant.ts";
import { inSphere } from "../support/sphere.ts";

/** From the lengths of position lists that FTS5 takes one and two bytes for, with each bit of them. */
const TIMES = [1, 63, 64, 127, 128, 150, 191, 192, 255, 256, 300, 320, 1_000, 3_000, 70_000];

describe("a word that a text holds many times", () => {
  it.each(TIMES)("[UPD-1] is gone with the text that held it: %i times", async (times) => {
    await inSphere(({ owner, storage }) => {
      const { id } = owner.capture(`${"echo ".repeat(times)}at first`);
      owner.capture("another");
      owner.update(id, `${"echo ".repeat(times)}and again`);
      owner.update(id, "silence");
      expect(owner.recall("echo").reason).toBe("no_match");
      expectInvariant(storage);
    });
  });

  it.each(TIMES)("[FGT-3] is gone with its entry: %i times", async (times) => {
    await inSphere(({ owner, storage, sql }) => {
      const { id } = owner.capture(`${"echo ".repeat(times)}once`);
      owner.capture("another");
      owner.update(id, null, { tags: ["noise"] });
      owner.forget(id);
      expect(sql.all("SELECT doc FROM entries_vocab WHERE term = 'echo'")).toEqual([]);
      expectInvariant(storage);
    });
  });
});
