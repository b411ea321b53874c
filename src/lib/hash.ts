import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256 of the UTF-8 bytes, synchronous: a write must not wait between reading and writing. */
export function sha256Bytes(text: string): Uint8Array {
  return sha256(utf8ToBytes(text));
}

export function sha256Hex(text: string): string {
  return hexOf(sha256Bytes(text));
}

export function hexOf(bytes: Uint8Array): string {
  return bytesToHex(bytes);
}

/** SHA-256 of texts one after the other, none of them ending within a surrogate pair. */
export function sha256Stream(): { update(text: string): void; hex(): string } {
  const hash = sha256.create();
  return {
    update: (text) => void hash.update(utf8ToBytes(text)),
    hex: () => bytesToHex(hash.digest()),
  };
}
