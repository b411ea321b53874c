import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { invalidInput, MiniSphereError } from "../../contracts/errors.ts";
import { ROLES } from "../../contracts/vocabulary.ts";

/*
 * Session tokens: JWT, HS256, five claims and no others ([TOK-1]). This file also runs in Node, where the
 * command line mints. Clocks are milliseconds; the claims `iat` and `exp` are seconds, as in RFC 7519.
 */

const ALGORITHM = "HS256";
/** HS256 wants a key as long as its hash (RFC 7518, 3.2). */
const SECRET_BYTES = 32;
/** Far beyond what five claims need; a longer string is refused before any cryptography. */
const TOKEN_CHARS = 4_096;
/** Actors of the gadget itself (`system:native`, `system:scheduler`); no token may carry one. */
const RESERVED_ACTOR = "system:";

/** [TOK-3] */
export const workspaceName = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, {
  error: "must be 1 to 64 characters of a-z 0-9 . _ - and start with a letter or digit",
});

/** 1 to 64 printable characters: they are stamped into entries, revisions and the audit log. */
export const actorName = z
  .string()
  .max(64)
  .regex(/^(?! )[^\p{C}\p{Zl}\p{Zp}]+(?<! )$/u, {
    error: "must be 1 to 64 printable characters without a space at either end",
  })
  .refine((actor) => !actor.startsWith(RESERVED_ACTOR), {
    error: `must not begin with "${RESERVED_ACTOR}"`,
  });

const claims = z.strictObject({
  workspace: workspaceName,
  role: z.enum(ROLES),
  actor: actorName,
});
const signedClaims = claims.extend({ iat: z.int().min(0), exp: z.int().min(0) });
const mintable = claims.extend({ ttlSeconds: z.int().min(1), now: z.int().min(0) });

/** What a token says: who may do what, where. */
export type TokenClaims = z.output<typeof claims>;

/**
 * Signs a token that is good for `ttlSeconds` from `now` (milliseconds).
 *
 * @throws MiniSphereError `invalid_input` for a claim that no token may carry or a secret under 32 bytes.
 */
export async function mintToken(
  secret: string,
  request: TokenClaims & { ttlSeconds: number; now: number },
): Promise<string> {
  const key = signingKey(secret);
  if (key === null) {
    throw invalidInput(`The secret must be at least ${SECRET_BYTES} bytes.`, { path: "secret" });
  }
  const parsed = mintable.safeParse(request);
  if (!parsed.success) throw refusedClaim(parsed.error);
  const { workspace, role, actor, ttlSeconds, now } = parsed.data;
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ workspace, role, actor })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ttlSeconds)
    .sign(key);
}

/**
 * The claims of a token that this secret signed and that has not expired at `now`; times are milliseconds.
 * What is wrong with a bad one is not told: the sentence is the same for every fault but expiry ([TOK-2]).
 *
 * @throws MiniSphereError `unauthenticated`.
 */
export async function verifyToken(
  secret: string | undefined,
  token: unknown,
  now: number,
): Promise<TokenClaims & { expiresAt: number }> {
  const key = signingKey(secret);
  if (key === null) throw unauthenticated(NO_SECRET);
  if (typeof token !== "string" || token.length > TOKEN_CHARS) throw unauthenticated(BAD_TOKEN);
  const parsed = signedClaims.safeParse(await signedPayload(key, token, now));
  if (!parsed.success) throw unauthenticated(BAD_TOKEN);
  const { workspace, role, actor, exp } = parsed.data;
  return { workspace, role, actor, expiresAt: exp * 1000 };
}

/** What a call gets after its token has expired: authority ends with the token, not with the session. */
export function expiredToken(): MiniSphereError {
  return unauthenticated("The token has expired; ask for a new one.");
}

const NO_SECRET =
  `This Worker has no SPHERE_TOKEN_SECRET of at least ${SECRET_BYTES} bytes, so it refuses every ` +
  "session; set one with `wrangler secret put SPHERE_TOKEN_SECRET`.";
const BAD_TOKEN = "The token is not one that this Worker signed; ask its operator for a new one.";

async function signedPayload(key: Uint8Array, token: string, now: number): Promise<unknown> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      currentDate: new Date(now),
      requiredClaims: ["iat", "exp"],
    });
    return payload;
  } catch (error) {
    // jose checks the signature first, so only a token that we signed can be told that it is late.
    const expired = (error as { code?: unknown }).code === "ERR_JWT_EXPIRED";
    throw expired ? expiredToken() : unauthenticated(BAD_TOKEN);
  }
}

function signingKey(secret: string | undefined): Uint8Array | null {
  const key = new TextEncoder().encode(secret ?? "");
  return key.byteLength < SECRET_BYTES ? null : key;
}

function refusedClaim(error: z.ZodError): MiniSphereError {
  const [issue] = error.issues;
  const path = issue?.path.join(".") || "claims";
  return invalidInput(`The token's ${path}: ${issue?.message}.`, { path });
}

function unauthenticated(message: string): MiniSphereError {
  return new MiniSphereError("unauthenticated", message);
}
