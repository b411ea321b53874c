/** 8 lower-case hex digits. Collisions are the caller's to retry: 32 bits are short enough to quote. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(4));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
