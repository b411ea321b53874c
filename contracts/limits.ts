/**
 * Every bound of the public surface (contract section 8), in one place.
 * "Characters" are UTF-16 units, "bytes" are UTF-8, durations are milliseconds.
 */
export const LIMITS = {
  contentBytes: 500_000,
  tagChars: 64,
  tagsPerEntry: 64,
  linksPerCapture: 64,
  queryChars: 2_000,
  noteChars: 1_000,
  metadataBytes: 4_096,
  metadataLevels: 16,
  idChars: 64,
  cursorChars: 200,
  importance: 5,
  topK: { max: 50, default: 10 },
  hops: { max: 3, default: 1 },
  page: { max: 200, default: 20 },
  seedIds: 100,
  graphNodes: { max: 1_500, default: 300 },
  captureMany: { items: 500, bytes: 4_000_000 },
  batch: 100,
  briefChars: { min: 1_000, max: 100_000, default: 6_000 },
  passRows: { max: 1_000, default: 100 },
  listedChars: 400,
  timeMs: 8_640_000_000_000_000,
} as const;
