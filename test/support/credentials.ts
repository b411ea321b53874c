/*
 * Made-up credentials in every recognised format, put together at run time so that no scanner of this
 * repository finds one.
 */

/** `n` characters of an alphabet, the same each time and without a pattern that a rule would call a placeholder. */
function some(n: number, alphabet: string): string {
  let state = 7;
  return Array.from({ length: n }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return alphabet[Math.floor(state / 65_536) % alphabet.length];
  }).join("");
}

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const DIGITS = "0123456789";
const LETTERS = UPPER + LOWER;
const WORDS = LETTERS + DIGITS;
const HEX = "0123456789abcdef";

const dashes = "-".repeat(5);
const at = (scheme: string, user: string, host: string) =>
  `${scheme}://${user}:${some(14, WORDS)}@${host}`;

/** Rule → one credential that it recognises. */
export const CREDENTIALS: readonly (readonly [rule: string, credential: string])[] = [
  ["aws", `AK${"IA"}${some(16, UPPER)}`],
  ["github", `gh${"p"}_${some(36, WORDS)}`],
  ["github", `github_${"pat"}_${some(82, WORDS)}`],
  ["gitlab", `gl${"pat"}-${some(20, WORDS)}`],
  ["npm", `npm${"_"}${some(36, WORDS)}`],
  ["slack", `xox${"b"}-${some(12, DIGITS)}-${some(24, WORDS)}`],
  ["stripe", `sk_${"live"}_${some(24, WORDS)}`],
  ["sendgrid", `S${"G"}.${some(22, WORDS)}.${some(43, WORDS)}`],
  ["shopify", `shp${"at"}_${some(32, HEX)}`],
  ["openai", `sk${"-"}${some(20, WORDS)}T3Blbk${"FJ"}${some(20, WORDS)}`],
  ["anthropic", `sk-${"ant"}-api03-${some(93, WORDS)}AA`],
  ["groq", `gs${"k"}_${some(52, WORDS)}`],
  ["huggingface", `h${"f"}_${some(34, LETTERS)}`],
  ["linear", `lin_${"api"}_${some(40, WORDS)}`],
  ["notion", `nt${"n"}_${some(11, DIGITS)}${some(35, WORDS)}`],
  ["grafana", `gl${"sa"}_${some(32, WORDS)}_${some(8, HEX)}`],
  // JSON in base64; of 3n + 1 characters, so that it ends as the rule expects.
  ["1password", `op${"s"}_${btoa(JSON.stringify({ secretKey: some(99, WORDS) }))}`],
  ["hashicorp-vault", `hv${"s"}.${some(95, WORDS)}`],
  ["vercel", `vc${"p"}_${some(30, WORDS)}`],
  ["databricks", `da${"pi"}${some(32, HEX)}`],
  ["docker", `dckr_${"pat"}_${some(27, WORDS)}`],
  ["figma", `fig${"d"}_${some(40, WORDS)}`],
  ["cloudflare", `cf${"ut"}_${some(40, WORDS)}${some(8, HEX)}`],
  ["tailscale", `ts${"key"}-auth-${some(17, WORDS)}-${some(32, WORDS)}`],
  ["basicauth", at("https", "deploy", "git.example.org")],
  ["database-connection-string", at("postgres", "app", "db.internal:5432/shop")],
  ["database-connection-string", at("mongodb+srv", "app", "cluster.internal/shop")],
  [
    "privatekey",
    [
      `${dashes}BEGIN RSA PRIVATE KEY${dashes}`,
      `MI${some(300, WORDS)}`,
      `${dashes}END RSA PRIVATE KEY${dashes}`,
    ].join("\n"),
  ],
];

/** One of them, for tests that are not about formats. */
export const CREDENTIAL = CREDENTIALS[1]?.[1] ?? "";
