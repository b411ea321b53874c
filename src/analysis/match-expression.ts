/**
 * An FTS5 expression that finds any of the tokens. Each is quoted, so that no operator, column name or wildcard in
 * it means anything. A NUL would end the expression and becomes a space.
 * @throws RangeError when there are no tokens: FTS5 has no expression that matches nothing.
 */
export function matchExpression(tokens: readonly string[]): string {
  if (tokens.length === 0) {
    throw new RangeError("A match expression needs at least one token.");
  }
  return tokens
    .map((token) => `"${token.replaceAll("\0", " ").replaceAll('"', '""')}"`)
    .join(" OR ");
}
