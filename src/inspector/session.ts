import { METHODS_BY_ROLE } from "../../contracts/api.ts";
import { ROLES, type Role } from "../../contracts/vocabulary.ts";
import { connect, type SphereStub } from "../client/index.ts";

const KEY = "mini-sphere.token";

/** What a token says about itself. The Worker alone judges whether it is true. */
export interface Claims {
  workspace: string;
  role: Role;
  actor: string;
  /** Milliseconds. */
  expiresAt: number;
}

export interface Session {
  claims: Claims;
  sphere: SphereStub<"owner">;
  /** What the role cannot do is not offered. */
  can(method: string): boolean;
}

/**
 * The token of the link that was followed, or of this tab's earlier sign-in. The one in the fragment moves to
 * session storage and leaves the address, so that neither the server nor the history keeps it.
 */
export function savedToken(): string | null {
  const linked = new URLSearchParams(location.hash.slice(1)).get("token");
  if (linked !== null) {
    sessionStorage.setItem(KEY, linked);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(KEY);
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
}

/** Opens a session and makes sure that the Worker takes the token, before it is kept. */
export async function signIn(token: string): Promise<Session> {
  const claims = readClaims(token);
  // A batch a tick: no socket to lose, and nothing held open while somebody reads.
  const sphere = connect({ url: location.origin, token, transport: "batch" });
  const methods: readonly string[] = METHODS_BY_ROLE[claims.role];
  if (methods.includes("getCount")) await sphere.getCount();
  sessionStorage.setItem(KEY, token);
  return { claims, sphere, can: (method) => methods.includes(method) };
}

/** @throws Error when the text is no token of mini-sphere. */
export function readClaims(token: string): Claims {
  const refusal = new Error("This is no token of mini-sphere; `npm run token` makes one.");
  let claims: Record<string, unknown>;
  try {
    const part = token.split(".")[1] ?? "";
    const bytes = Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (char) =>
      char.charCodeAt(0),
    );
    claims = Object(JSON.parse(new TextDecoder().decode(bytes))) as Record<string, unknown>;
  } catch {
    throw refusal;
  }
  const role = ROLES.find((name) => name === claims["role"]);
  const { workspace, actor, exp } = claims;
  if (role === undefined || typeof exp !== "number") throw refusal;
  return { workspace: String(workspace), role, actor: String(actor), expiresAt: exp * 1000 };
}
