/** A number from 0 up to 1. */
export type Random = () => number;

/** A linear congruential generator: each agent does the same in each run. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)]!;
}

/** One of the keys, as often as its weight says. */
export function weighted<K extends string>(
  weights: Readonly<Record<K, number>>,
  random: Random,
): K {
  const entries = Object.entries(weights) as [K, number][];
  let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  return entries.find(([, weight]) => (left -= weight) < 0)?.[0] ?? entries[0]![0];
}
