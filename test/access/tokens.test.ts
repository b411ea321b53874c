import * as fc from "fast-check";
import { SignJWT, UnsecuredJWT, exportSPKI, generateKeyPair } from "jose";
import { describe, expect, it } from "vitest";
import { ROLES } from "../../contracts/vocabulary.ts";
import { actorName, mintToken, verifyToken, workspaceName } from "../../src/access/tokens.ts";

const SECRET = "a secret of the token tests, 32+ bytes";
const NOW = Date.UTC(2026, 10, 1);
const HOUR = 3_600_000;
const AGENT = { workspace: "lab", role: "curator", actor: "agent:7" } as const;

const mint = (claims: Partial<Parameters<typeof mintToken>[1]> = {}) =>
  mintToken(SECRET, { ...AGENT, ttlSeconds: 3600, now: NOW, ...claims });

/** Signs any claims, as someone who holds the secret but not our rules might. */
const sign = (claims: Record<string, unknown>) =>
  new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(SECRET));

const SECONDS = { iat: NOW / 1000, exp: (NOW + HOUR) / 1000 };

describe("a token", () => {
  it("[TOK-1] carries workspace, role, actor, iat and exp, signed with HS256", async () => {
    const [header = "", payload = ""] = (await mint()).split(".");
    expect(JSON.parse(atob(header))).toEqual({ alg: "HS256" });
    expect(JSON.parse(atob(payload))).toEqual({ ...AGENT, ...SECONDS });
  });

  it.each(ROLES)("[TOK-1] gives back what was minted for role %s", async (role) => {
    expect(await verifyToken(SECRET, await mint({ role }), NOW)).toEqual({
      ...AGENT,
      role,
      expiresAt: NOW + HOUR,
    });
  });

  it("[TOK-1] gives back any workspace and actor that the rules allow", async () => {
    const workspace = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,63}$/);
    const actor = fc.string({ minLength: 1, maxLength: 64, unit: "grapheme" });
    await fc.assert(
      fc.asyncProperty(
        workspace,
        actor.filter((each) => actorName.safeParse(each).success),
        async (name, who) => {
          const token = await mint({ workspace: name, actor: who });
          expect(await verifyToken(SECRET, token, NOW)).toEqual({
            workspace: name,
            role: "curator",
            actor: who,
            expiresAt: NOW + HOUR,
          });
        },
      ),
    );
  });

  it("[TOK-2] is good until the second in which it expires", async () => {
    const token = await mint();
    await expect(verifyToken(SECRET, token, NOW + HOUR - 1000)).resolves.toMatchObject(AGENT);
    await expect(verifyToken(SECRET, token, NOW + HOUR)).rejects.toMatchObject({
      code: "unauthenticated",
      message: "The token has expired; ask for a new one.",
    });
  });
});

describe("[TOK-2] unauthenticated, with one sentence for all", () => {
  const refusal = {
    code: "unauthenticated",
    message: "The token is not one that this Worker signed; ask its operator for a new one.",
    details: {},
  };

  async function altered(): Promise<string> {
    const [header, , signature] = (await mint()).split(".");
    const payload = btoa(JSON.stringify({ ...AGENT, ...SECONDS, role: "owner" }));
    return `${header}.${payload.replaceAll("=", "")}.${signature}`;
  }

  async function signedByKeyPair(): Promise<string> {
    const { privateKey } = await generateKeyPair("RS256");
    return new SignJWT({ ...AGENT, ...SECONDS })
      .setProtectedHeader({ alg: "RS256" })
      .sign(privateKey);
  }

  /** The classic confusion: a public key, which everyone has, used as an HMAC secret. */
  async function signedByPublicKey(): Promise<string> {
    const { publicKey } = await generateKeyPair("RS256", { extractable: true });
    return new SignJWT({ ...AGENT, ...SECONDS })
      .setProtectedHeader({ alg: "HS256" })
      .sign(new TextEncoder().encode(await exportSPKI(publicKey)));
  }

  const tokens: [string, () => unknown][] = [
    ["no token", () => undefined],
    ["null", () => null],
    ["a number", () => 7],
    ["an object", () => ({ alg: "HS256" })],
    ["an empty string", () => ""],
    ["garbage", () => "not.a.token"],
    ["a very long string", () => "a".repeat(10_000_000)],
    ["another secret", () => mintToken(`${SECRET}!`, { ...AGENT, ttlSeconds: 60, now: NOW })],
    ["an altered payload", altered],
    ["algorithm none", () => new UnsecuredJWT({ ...AGENT, ...SECONDS }).encode()],
    ["algorithm RS256", signedByKeyPair],
    ["a public key as the secret", signedByPublicKey],
    ["an unknown role", () => sign({ ...AGENT, ...SECONDS, role: "admin" })],
    ["no role", () => sign({ workspace: "lab", actor: "a", ...SECONDS })],
    ["no workspace", () => sign({ role: "owner", actor: "a", ...SECONDS })],
    ["a workspace of another shape", () => sign({ ...AGENT, ...SECONDS, workspace: "../other" })],
    ["no actor", () => sign({ workspace: "lab", role: "owner", ...SECONDS })],
    ["an actor of the gadget itself", () => sign({ ...AGENT, ...SECONDS, actor: "system:native" })],
    ["a claim that we do not know", () => sign({ ...AGENT, ...SECONDS, scope: "read" })],
    ["no expiry", () => sign({ ...AGENT, iat: SECONDS.iat })],
    ["no time of issue", () => sign({ ...AGENT, exp: SECONDS.exp })],
    ["an expiry that is not a number", () => sign({ ...AGENT, ...SECONDS, exp: "never" as never })],
    ["an expiry that never comes", () => sign({ ...AGENT, ...SECONDS, exp: 1e300 })],
  ];

  it.each(tokens)("%s", async (_, token) => {
    await expect(verifyToken(SECRET, await token(), NOW)).rejects.toMatchObject(refusal);
  });

  it.each([
    ["no secret", undefined],
    ["an empty secret", ""],
    ["a secret of 31 bytes", "s".repeat(31)],
  ])("%s: every session is refused, and told what the operator has to do", async (_, secret) => {
    await expect(verifyToken(secret, await mint(), NOW)).rejects.toMatchObject({
      code: "unauthenticated",
      message: expect.stringMatching(/^This Worker has no SPHERE_TOKEN_SECRET/) as string,
    });
  });
});

describe("minting", () => {
  it.each([
    ["workspace", { workspace: "Lab" }],
    ["role", { role: "admin" as never }],
    ["actor", { actor: "" }],
    ["ttlSeconds", { ttlSeconds: 0 }],
    ["ttlSeconds", { ttlSeconds: Number.NaN }],
  ])("refuses a wrong %s by name: %j", async (path, claims) => {
    await expect(mint(claims)).rejects.toMatchObject({
      code: "invalid_input",
      details: { path },
    });
  });

  it("refuses a secret that no Worker would accept", async () => {
    await expect(
      mintToken("s".repeat(31), { ...AGENT, ttlSeconds: 60, now: NOW }),
    ).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("names", () => {
  it.each(["a", "0", "team.alpha_2-x", "a".repeat(64)])(
    "[TOK-3] %s is the name of a workspace",
    (name) => {
      expect(workspaceName.safeParse(name).success).toBe(true);
    },
  );

  it.each(["", "A", "-a", ".a", "_a", "a b", "a/b", "é", "a\n", "a".repeat(65)])(
    "[TOK-3] %j is not the name of a workspace",
    (name) => {
      expect(workspaceName.safeParse(name).success).toBe(false);
    },
  );

  it.each(["a", "agent:7", "Łódź", "two words", "a".repeat(64)])("%s is an actor", (name) => {
    expect(actorName.safeParse(name).success).toBe(true);
  });

  it.each([
    "",
    " ",
    " a",
    "a ",
    "a\n",
    "a\u0000b",
    "a\u2028b",
    "\ud800",
    "a".repeat(65),
    "system:x",
  ])("%j is not an actor", (name) => {
    expect(actorName.safeParse(name).success).toBe(false);
  });
});
