import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { ERROR_CODES, ROLES } from "../../contracts/index.ts";
import { seeded } from "../../bench/load/random.ts";
import { LEAKS, hostileInput } from "../support/hostile.ts";
import { freshWorkspace, post, tokenFor } from "./wire.ts";

/** The beginning of what `npm run fuzz` sends. */
const INPUTS = 4_000;

it("[WIR-3] [ERR-2] hostile inputs get answers of the contract, tell nothing of the inside and reach no other workspace", async () => {
  const [attacked, beside] = [freshWorkspace(), freshWorkspace()];
  const native = env.SPHERES.getByName(beside);
  const { id } = await native.capture("the canary of the workspace beside it");
  const before = await native.getEntry(id);
  const tokens = await Promise.all(ROLES.map((role) => tokenFor(attacked, role)));
  const random = seeded(1);
  const codes = new Set<string>();
  for (let sent = 0; sent < INPUTS;) {
    const input = hostileInput(random, tokens);
    sent += input.inputs;
    const answer = await post(input.body);
    const text = await answer.text();
    expect([200, 400]).toContain(answer.status);
    expect(text).not.toMatch(LEAKS);
    expect(text).not.toContain("canary");
    for (const [, code] of text.matchAll(/"code":"([a-z_]+)"/g)) codes.add(code ?? "");
  }
  const answered = ERROR_CODES.filter((code) => codes.has(code));
  expect([...codes].sort()).toEqual([...answered].sort());
  expect(answered).toEqual(expect.arrayContaining(["invalid_input", "forbidden", "not_found"]));
  expect(answered).not.toContain("internal");
  expect(await native.getEntry(id)).toEqual(before);
  expect(await native.getCount()).toBe(1);
});
