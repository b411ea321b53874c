import { describe, expect, it } from "vitest";
import { verifyToken } from "../../src/access/tokens.ts";
import { SECRET_NAME } from "../../src/cli/dev-secret.ts";
import { runCommand } from "./support.ts";

const SECRET = "a secret for this test only, 32+ bytes";

const token = (args: readonly string[], secret = SECRET) =>
  runCommand("token", args, { env: { [SECRET_NAME]: secret } });

describe("npm run token", () => {
  it("prints a token of that workspace, role and actor, alone", async () => {
    const args = ["--workspace", "w", "--role", "curator", "--actor", "ada"];
    const { code, stdout, stderr } = await token(args);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.trimEnd()).not.toContain("\n");
    expect(await verifyToken(SECRET, stdout.trim(), Date.now())).toMatchObject({
      workspace: "w",
      role: "curator",
      actor: "ada",
    });
  });

  it.each([
    [[], 3_600],
    [["--ttl", "30d"], 2_592_000],
  ])("with %j it is good for so long", async (ttl, seconds) => {
    const { stdout } = await token(["--workspace", "w", "--role", "reader", ...ttl]);
    const [, payload = ""] = stdout.trim().split(".");
    const { iat, exp } = JSON.parse(Buffer.from(payload, "base64url").toString());
    expect(exp - iat).toBe(seconds);
  });

  it.each([
    ["an unknown role", ["--workspace", "w", "--role", "boss"], /reader, contributor, curator/],
    ["a bad ttl", ["--workspace", "w", "--role", "reader", "--ttl", "soon"], /90s, 15m, 1h/],
    ["a missing role", ["--workspace", "w"], /--role/],
    ["a bad workspace", ["--workspace", "A B", "--role", "reader"], /1 to 64 characters/],
    ["a reserved actor", ["--workspace", "w", "--role", "reader", "--actor", "system:x"], /actor/],
  ])("refuses %s in words", async (_, args, sentence) => {
    const { code, stdout, stderr } = await token(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("refuses a short secret in words", async () => {
    const { code, stderr } = await token(["--workspace", "w", "--role", "reader"], "short");
    expect(code).toBe(2);
    expect(stderr).toMatch(/at least 32 bytes/);
  });
});
