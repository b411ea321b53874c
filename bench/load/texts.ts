import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import type { Random } from "./random.ts";
import { pick } from "./random.ts";

const TURNS = new URL("../../../shared/data/speed/turns-100k.jsonl.gz", import.meta.url);

/** `n` texts: real turns of chats where they lie beside the checkout, else made-up ones. */
export async function readTexts(
  n: number,
  random: Random,
): Promise<{ real: boolean; texts: string[] }> {
  const real = existsSync(TURNS);
  return {
    real,
    texts: real ? await realTexts(n) : Array.from({ length: n }, () => madeUp(random)),
  };
}

async function realTexts(n: number): Promise<string[]> {
  const texts: string[] = [];
  for await (const line of createInterface({
    input: createReadStream(TURNS).pipe(createGunzip()),
  })) {
    if (texts.length === n) break;
    texts.push((JSON.parse(line) as { text: string }).text);
  }
  return texts;
}

/** 20 to 100 words of two or three syllables, the first of them often, the last seldom. */
function madeUp(random: Random): string {
  const words = 20 + Math.floor(random() * 80);
  return Array.from({ length: words }, () => word(Math.floor(4_000 * random() ** 3))).join(" ");
}

const SYLLABLES = "ba de fi go lu ma ne pi ro su ta ve ki lo mu na re si to vu".split(" ");

function word(n: number): string {
  const syllable = (place: number) => SYLLABLES[Math.floor(n / 20 ** place) % 20] ?? "";
  return syllable(0) + syllable(1) + syllable(2);
}

/** A question in words of one of the texts. */
export function question(texts: readonly string[], random: Random): string {
  const words = pick(texts, random).split(/\s+/);
  const from = Math.floor(random() * Math.max(1, words.length - 6));
  return words
    .slice(from, from + 6)
    .join(" ")
    .slice(0, 500);
}
