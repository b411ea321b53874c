import { existsSync } from "node:fs";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser's program; null when there is none. */
export function findChromium(): string | null {
  const given = process.env["CHROMIUM"];
  return (
    [...(given === undefined ? [] : [given]), ...PLACES].find((path) => existsSync(path)) ?? null
  );
}
