import { describe, expect, it } from "vitest";
import { read } from "./project-files.ts";

const CONFIGS = ["wrangler.toml", "wrangler.scheduler.toml"];

/** A config without its comments. */
const config = (file: string) => read(file).replaceAll(/^#.*\n/gm, "");

describe("the wrangler configs", () => {
  it.each(CONFIGS)("[MNT-12] %s keeps the log", (file) => {
    expect(config(file)).toContain("[observability]\nenabled = true\n");
  });

  it("[MNT-5] give the scheduled Worker one binding, and no address", () => {
    const tables = config("wrangler.scheduler.toml").match(/^\[.*\]$/gm);
    expect(tables).toEqual(["[observability]", "[triggers]", "[[services]]"]);
    expect(config("wrangler.scheduler.toml")).toContain('entrypoint = "Maintenance"');
    expect(config("wrangler.scheduler.toml")).toContain("workers_dev = false\n");
  });
});
