import { invalidInput, MiniSphereError } from "../../contracts/errors.ts";

// The authority is a token inside the session, never a cookie, so any origin may connect.
const ANY_ORIGIN = { "access-control-allow-origin": "*" };

/** A request that gets no session, with the error that says why ([WIR-3]). */
export class Refusal extends Error {
  readonly status: number;
  readonly error: MiniSphereError;
  readonly headers: Record<string, string>;

  constructor(status: number, error: MiniSphereError, headers: Record<string, string> = {}) {
    super(error.message);
    this.status = status;
    this.error = error;
    this.headers = headers;
  }
}

export function noSuchPath(): Refusal {
  const sentence = "Nothing is here; sessions are at /rpc, and / says how to open one.";
  return new Refusal(404, new MiniSphereError("not_found", sentence));
}

export function wrongMethod(methods: readonly string[]): Refusal {
  const sentence = `This path answers ${methods.join(" and ")}; /rpc also a WebSocket upgrade.`;
  return new Refusal(405, invalidInput(sentence), { allow: allowed(methods) });
}

/** `{ "error": { "code", "message", "details" } }`: what a program can act on. */
export function refused({ status, error, headers }: Refusal): Response {
  const { code, message, details } = error;
  return json({ error: { code, message, details } }, status, headers);
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...ANY_ORIGIN, ...headers } });
}

export function text(body: string): Response {
  return new Response(body, {
    headers: { ...ANY_ORIGIN, "content-type": "text/plain; charset=utf-8" },
  });
}

/** What a browser asks before it posts from another origin. */
export function preflight(methods: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...ANY_ORIGIN,
      "access-control-allow-methods": allowed(methods),
      "access-control-allow-headers": "content-type",
      "access-control-max-age": "86400",
    },
  });
}

function allowed(methods: readonly string[]): string {
  return [...methods, "OPTIONS"].join(", ");
}
