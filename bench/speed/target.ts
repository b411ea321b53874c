export interface Target {
  what: string;
  target: string;
  measured: string;
  /** Null where this run did not measure it. */
  met: boolean | null;
}

export const note = (what: string, measured: string): Target => ({
  what,
  target: "–",
  measured,
  met: null,
});

export const unmeasured = (what: string, target: string): Target => ({
  what,
  target,
  measured: "–",
  met: null,
});

export function atMost(what: string, limit: number, value: number | undefined, unit = ""): Target {
  return bound(what, "≤", limit, value, unit);
}

export function atLeast(what: string, limit: number, value: number | undefined, unit = ""): Target {
  return bound(what, "≥", limit, value, unit);
}

function bound(
  what: string,
  sign: "≤" | "≥",
  limit: number,
  value: number | undefined,
  unit: string,
): Target {
  const target = `${sign} ${limit.toLocaleString("en")} ${unit}`.trim();
  if (value === undefined || Number.isNaN(value)) return unmeasured(what, target);
  const measured = `${Number.isInteger(value) ? value : value.toFixed(3)} ${unit}`.trim();
  return { what, target, measured, met: sign === "≤" ? value <= limit : value >= limit };
}
