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
