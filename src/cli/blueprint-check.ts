import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { blueprintFiles } from "./blueprint/manifest.ts";
import { CliError, EXIT } from "./exit.ts";
import { createProgram, ROOT, run } from "./program.ts";

const program = createProgram(
  "blueprint:check",
  "Compares contracts/blueprint.json and its schema with the code; fails where they differ.",
)
  .option("--write", "write them anew instead")
  .action(async ({ write }: { write?: true }) => {
    for (const [path, text] of await blueprintFiles()) {
      if (write) await writeFile(join(ROOT, path), text);
      else await compare(path, text);
    }
    console.log(
      `contracts/blueprint.json and its schema ${write ? "are written" : "say what the code says"}.`,
    );
  });
await run(program);

async function compare(path: string, expected: string): Promise<void> {
  const found = await readFile(join(ROOT, path), "utf8").catch(() => "{}");
  if (found.replaceAll("\r\n", "\n") === expected) return;
  const differing = differingKeys(JSON.parse(found), JSON.parse(expected));
  throw new CliError(
    EXIT.failed,
    `${path} differs from the code (${differing.join(", ") || "in its layout"}); if the code is right, run \`npm run blueprint:check -- --write\`.`,
  );
}

function differingKeys(found: object, expected: object): string[] {
  const keys = new Set([...Object.keys(found), ...Object.keys(expected)]);
  const of = (value: object, key: string) =>
    JSON.stringify((value as Record<string, unknown>)[key]);
  return [...keys].filter((key) => of(found, key) !== of(expected, key));
}
