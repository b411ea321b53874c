import { describe, expect, it } from "vitest";
import { committedFiles, read } from "./project-files.ts";

// The lock file is npm's own, and names the registry by design.
const files = committedFiles().filter((file) => file !== "package-lock.json");

function filesThatMatch(pattern: RegExp): string[] {
  return files.filter((file) => pattern.test(read(file)));
}

describe("committed files", () => {
  it("hold no absolute path of somebody's machine", () => {
    expect(filesThatMatch(/(?<![\w.@/-])\/(?:home|Users|root|work)\/\w|\b[A-Z]:\\Users\\/)).toEqual(
      [],
    );
  });

  it("hold no address of a local package registry", () => {
    const local = /(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\/\S*(?:npm|registry)|registry\s*=/i;
    expect(filesThatMatch(local)).toEqual([]);
  });
});
