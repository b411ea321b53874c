import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SECRET_NAME } from "../dev-secret.ts";
import { ROOT } from "../program.ts";

interface ReadmeFacts {
  workspace: string;
  worker: string;
  contract: string;
  seeds: readonly unknown[];
  bindings: readonly string[];
}

/** How to deploy the folder, in commands that work as they stand. */
export function folderReadme({
  workspace,
  worker,
  contract,
  seeds,
  bindings,
}: ReadmeFacts): string {
  const wrangler = `npx wrangler@${wranglerVersion()}`;
  return `# ${workspace}

A workspace memory for AI agents: mini-sphere, contract ${contract}, as a Worker of its own (\`${worker}\`). The code in \`worker/\` and \`scheduler/\` is built and is uploaded as it is; nothing has to be installed. What it offers, its limits and its migrations: \`blueprint.json\`.

## Deploy

wrangler needs Node 22 or newer and a Cloudflare account; \`${wrangler} login\` opens one. In this directory:

\`\`\`sh
${wrangler} deploy -c wrangler.toml
${wrangler} secret put ${SECRET_NAME} -c wrangler.toml
${wrangler} deploy -c wrangler.scheduler.toml
\`\`\`

The first command prints the address. The second asks for the secret that signs tokens: at least 32 bytes, which nobody else knows. This makes one:

\`\`\`sh
node -p 'crypto.randomBytes(32).toString("base64url")'
\`\`\`

Until it is set, every session is refused. Keep it where you keep secrets: whoever has it can open every workspace of this Worker. \`.dev.vars\` holds another one, for local runs only; it is not uploaded. The third command deploys the scheduler, which runs the staleness pass; without it answers are the same.

## Tokens

From the checkout of mini-sphere that made this folder:

\`\`\`sh
${SECRET_NAME}=… npm run -s token -- --workspace ${workspace} --role curator --actor agent:mira --ttl 30d
\`\`\`

## Seeds

${seeds.length === 0 ? "This blueprint has none." : `${seeds.length}, in \`seeds.jsonl\`.`} Deploying applies none. From the checkout, with a curator's token:

\`\`\`sh
SPHERE_TOKEN=… npm run blueprint -- ${workspace} --seed FILE.jsonl --apply https://${worker}.YOUR-SUBDOMAIN.workers.dev
\`\`\`

It can be repeated: seeds that nobody has changed are brought up to the file, those that somebody changed are left alone, and it says which. A seed is known by its tag \`blueprint\` and its source: one that lost either is added anew.

## Try it here

\`\`\`sh
${wrangler} dev -c wrangler.toml -c wrangler.scheduler.toml
\`\`\`
${bindings.map((name) => BINDING_NOTES[name]).join("")}`;
}

const BINDING_NOTES: Readonly<Record<string, string>> = {
  ai: `
## Workers AI

The block \`[ai]\` in \`wrangler.toml\` is there as a comment. This version does nothing with the binding: there are no embeddings, no classifier and no reranker in it, and answers and costs are the same with it and without.
`,
};

/** The version that built the folder, so that the same one uploads it. */
function wranglerVersion(): string {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    devDependencies: { wrangler: string };
  };
  return devDependencies.wrangler;
}
