/** The id that the bench gives to the n-th entry of a workspace, 0-based: all different, in no order. */
export const idOf = (index: number) =>
  (Math.imul(index + 1, 0x9e37_79b1) >>> 0).toString(16).padStart(8, "0");
