import type { Filled } from "../fill.ts";
import { DEFAULT_PORT, DEMO } from "../session.ts";
import { columns } from "./layout.ts";

const CLIENT = "mini-sphere/client";

export interface Started {
  url: string;
  token: string;
  tokenDays: number;
  filled: Filled;
  /** Words that the workspace knows something about; letters, digits and spaces only. */
  sample: string;
}

/** Where the workspace is and how to ask it: what `npm start` says once. */
export function showStarted({ url, token, tokenDays, filled, sample }: Started): string {
  const here = new URL(url);
  const elsewhere = here.port === String(DEFAULT_PORT) ? "" : ` --url ${url}`;
  const { entries, newEntries, edges, newEdges } = filled;
  return `
${columns([
  ["address", url],
  ["inspector", `${url}/inspector/#token=${token}`],
  ["RPC", `ws://${here.host}/rpc, or POST ${url}/rpc`],
  [
    "workspace",
    `${DEMO}: ${entries} entries (${newEntries} new), ${edges} edges (${newEdges} new)`,
  ],
  ["token", token],
])}

The token opens ${DEMO} as its owner for ${tokenDays} days. Ask from another shell:

npm run sphere -- recall "${sample}"${elsewhere}

or from JavaScript:

npx node --input-type=module <<'END'
import { connect } from "${CLIENT}";
const sphere = connect({
  url: "${url}",
  token: "${token}",
});
console.log(await sphere.recall("${sample}", { topK: 3 }));
sphere.close();
END

Ctrl-C stops it.`;
}
