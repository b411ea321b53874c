import { limitExceeded } from "../../contracts/errors.ts";
import { malformed } from "../access/wire-errors.ts";
import { Refusal } from "./http.ts";

/** Bytes. */
const MAX_BODY = 8_000_000;
/** A larger body is read on and thrown away up to here: many clients read no answer before they have sent all. */
const MAX_DRAINED = 10 * MAX_BODY;
const MAX_MESSAGES = 10_000;

/**
 * The messages of a batch, one JSON text each. The body is counted while it is read, because the length that
 * is announced can be wrong or missing.
 *
 * @throws Refusal 413, 429 or 400.
 */
export async function readBatch(request: Request): Promise<string[]> {
  const body = decoded(await readBytes(request.body)).trim();
  const messages = body === "" ? [] : body.split("\n");
  if (messages.length > MAX_MESSAGES) throw tooMany();
  return messages;
}

async function readBytes(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array[]> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size <= MAX_BODY) chunks.push(chunk);
    else chunks = [];
    if (size > MAX_DRAINED) break;
  }
  if (size > MAX_BODY) throw tooLarge();
  return chunks;
}

function decoded(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  try {
    return (
      chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode()
    );
  } catch {
    throw new Refusal(400, malformed());
  }
}

function tooLarge(): Refusal {
  return new Refusal(
    413,
    limitExceeded(`The body is over ${MAX_BODY} bytes; send fewer or smaller calls at once.`, {
      maxBytes: MAX_BODY,
    }),
  );
}

function tooMany(): Refusal {
  return new Refusal(
    429,
    limitExceeded(`The batch holds more than ${MAX_MESSAGES} messages; send it in parts.`, {
      maxMessages: MAX_MESSAGES,
    }),
    { "retry-after": "1" },
  );
}
