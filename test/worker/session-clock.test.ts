import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Grant, GrantedCalls, Method, Reply } from "../../contracts/index.ts";
import type { Reader } from "../../src/access/roles.ts";
import { Root } from "../../src/worker/session.ts";
import { SessionBudget } from "../../src/worker/budget.ts";
import { TokenBucket } from "../../src/worker/token-bucket.ts";
import { call, SECRET, tokenFor } from "./wire.ts";

describe("a token bucket", () => {
  const rate = { burst: 3, perSecond: 2 };

  function takenAt(...times: number[]): boolean[] {
    const bucket = new TokenBucket(rate, 0);
    return times.map((now) => bucket.take(now).taken);
  }

  it("allows a burst, and then what its rate gives", () => {
    expect(takenAt(0, 0, 0, 0, 499, 500, 999, 1_000)).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
      false,
      true,
    ]);
  });

  it("never saves up more than a burst", () => {
    expect(takenAt(60_000, 60_000, 60_000, 60_000)).toEqual([true, true, true, false]);
  });

  it("is not fooled by a clock that goes back", () => {
    expect(takenAt(1_000, 0, 1_000, 1_000, 1_000)).toEqual([true, true, true, false, false]);
  });

  it("says truly when there will be one again", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 700 }), { minLength: 1 }), fc.nat(), (pauses, odd) => {
        const bucket = new TokenBucket({ burst: 3, perSecond: 1 + (odd % 17) }, 0);
        let now = 0;
        for (const pause of pauses) {
          now += pause;
          const answer = bucket.take(now);
          if (answer.taken) continue;
          now += answer.retryAfterMs;
          expect(bucket.take(now).taken).toBe(true);
        }
      }),
    );
  });
});

describe("a session with a clock of the test's own", () => {
  const counting: GrantedCalls = {
    async call<M extends Method>(_grant: Grant, _method: M, _args: unknown[]) {
      return { ok: true, value: 0 } as unknown as Reply<M>;
    },
  };

  async function session() {
    const clock = { now: Date.now() };
    const budget = new SessionBudget(() => clock.now);
    const root = new Root({
      secret: SECRET,
      now: () => clock.now,
      workspace: () => counting,
      report: () => {},
      budget,
    });
    const reader = (await root.authenticate(await tokenFor("lab", "reader"))) as Reader;
    const outcomes = (count: number, capability: unknown = reader) =>
      Promise.all(
        Array.from({ length: count }, () =>
          call(capability, "getCount").catch((error: unknown) => error),
        ),
      );
    return { clock, budget, root, reader, outcomes };
  }

  it("[LIM-2] lets 10,000 calls pass at once, and refuses the next with advice", async () => {
    const { outcomes } = await session();
    const all = await outcomes(10_001);
    expect(all.slice(0, -1).every((outcome) => outcome === 0)).toBe(true);
    expect(all.at(-1)).toMatchObject({
      code: "limit_exceeded",
      message: "This session calls too fast; wait 1 ms and stay under 1000 calls a second.",
      details: { retryAfterMs: 1 },
    });
  });

  it("[LIM-2] grows again by 1,000 a second", async () => {
    const { clock, outcomes } = await session();
    await outcomes(10_000);
    clock.now += 500;
    const after = await outcomes(501);
    expect(after.filter((outcome) => outcome === 0)).toHaveLength(500);
  });

  it("[LIM-2] has one budget for all its capabilities", async () => {
    const { root, outcomes } = await session();
    const other = await root.authenticate(await tokenFor("other", "reader"));
    await outcomes(10_000);
    expect(await outcomes(1, other)).toMatchObject([{ code: "limit_exceeded" }]);
  });

  it("[LIM-4] owes what its messages are beyond 64 million characters, and takes no call until it is paid", async () => {
    const { clock, budget, outcomes } = await session();
    budget.receive(32_000_000);
    budget.spend(32_000_000);
    expect(await outcomes(1)).toEqual([0]);
    budget.spend(8_000_000);
    expect(await outcomes(1)).toMatchObject([
      { code: "limit_exceeded", details: { retryAfterMs: 1_000 } },
    ]);
    clock.now += 1_000;
    expect(await outcomes(1)).toEqual([0]);
  });

  it("[LIM-4] ends when a peer goes on sending a whole budget beyond it", async () => {
    const { clock, budget } = await session();
    for (let n = 0; n < 16; n++) budget.receive(8_000_000);
    expect(() => budget.receive(1)).toThrow("wait 8001 ms");
    clock.now += 16_002;
    budget.receive(1);
  });

  it("[BAT-5] counts a batch as its operations", async () => {
    const { root, outcomes } = await session();
    const owner = await root.authenticate(await tokenFor("lab", "owner"));
    const operations = Array.from({ length: 100 }, () => ({ method: "capture", args: ["x"] }));
    await outcomes(9_901);
    const refused = call(owner, "batch", operations);
    await expect(refused).rejects.toMatchObject({
      code: "limit_exceeded",
      details: { retryAfterMs: 1 },
    });
    await call(owner, "batch", operations.slice(1));
    expect(await outcomes(1)).toMatchObject([{ code: "limit_exceeded" }]);
  });

  it("[TOK-2] has no authority left when its token expires, open or not", async () => {
    const { clock, reader } = await session();
    clock.now += 598_000;
    expect(await reader.getCount()).toBe(0);
    clock.now += 3_000;
    for (const capability of [reader, reader.readOnly()]) {
      await expect(call(capability, "getCount")).rejects.toMatchObject({
        code: "unauthenticated",
        message: "The token has expired; ask for a new one.",
      });
    }
  });
});
