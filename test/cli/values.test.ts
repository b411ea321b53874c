import { describe, expect, it } from "vitest";
import { durationMs, integer, portNumber, timeMs } from "../../src/cli/values.ts";

describe("durations", () => {
  it.each([
    ["90s", 90_000],
    ["15m", 900_000],
    ["1h", 3_600_000],
    ["30d", 2_592_000_000],
    ["366d", 31_622_400_000],
  ])("%s", (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });

  it.each(["", "h", "0h", "1", "1.5h", "-1h", "1w", "367d", "1h1m", "99999999999d"])(
    "%j is refused with what would be right",
    (text) => {
      expect(() => durationMs(text)).toThrow(/write a number and a unit/);
    },
  );
});

describe("ports", () => {
  it.each([
    ["1", 1],
    ["8787", 8787],
    ["65535", 65_535],
  ])("%s", (text, port) => {
    expect(portNumber(text)).toBe(port);
  });

  it.each(["", "0", "65536", "-1", "80a", "1e3", "8787.0"])("%j is refused", (text) => {
    expect(() => portNumber(text)).toThrow(/from 1 to 65535/);
  });
});

describe("times", () => {
  it("a day is its first millisecond, UTC", () => {
    expect(timeMs("2026-01-31")).toBe(Date.UTC(2026, 0, 31));
  });

  it("a day that ends a window is its last millisecond", () => {
    expect(timeMs("2026-01-31", "last")).toBe(Date.UTC(2026, 1, 1) - 1);
  });

  it("a time of day is itself, whichever end it is", () => {
    const at = Date.UTC(2026, 0, 31, 9, 30);
    expect([timeMs("2026-01-31T09:30Z"), timeMs("2026-01-31T09:30Z", "last")]).toEqual([at, at]);
  });

  it("milliseconds are themselves", () => {
    expect(timeMs("1769852400000")).toBe(1_769_852_400_000);
  });

  it.each(["", "yesterday", "12", "31.01.2026", "2026-13-01"])("%j is refused", (text) => {
    expect(() => timeMs(text)).toThrow(/is not a time/);
  });
});

it.each(["", "x", "1.5", "1e9", "NaN"])("%j is not a whole number", (text) => {
  expect(() => integer(text)).toThrow(/not a whole number/);
});
