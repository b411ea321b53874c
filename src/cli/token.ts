import { Option } from "commander";
import { mintToken } from "../access/tokens.ts";
import { ROLES, type Role } from "../../contracts/vocabulary.ts";
import { tokenSecret } from "./dev-secret.ts";
import { createProgram, ROOT, run } from "./program.ts";
import { durationMs } from "./values.ts";

interface TokenOptions {
  workspace: string;
  role: Role;
  actor: string;
  ttl: number;
}

const program = createProgram("token", "Prints a session token alone on the last line.")
  .requiredOption("--workspace <name>", "the workspace it opens")
  .addOption(new Option("--role <role>", "what it allows").choices(ROLES).makeOptionMandatory())
  .option("--actor <name>", "who is stamped into what it writes", "cli")
  .addOption(
    new Option("--ttl <duration>", "how long it is good for: 90s, 15m, 1h, 30d")
      .argParser(durationMs)
      .default(durationMs("1h"), "1h"),
  )
  .action(async ({ ttl, ...claims }: TokenOptions) => {
    const secret = await tokenSecret(ROOT, process.env);
    const request = { ...claims, ttlSeconds: ttl / 1000, now: Date.now() };
    console.log(await mintToken(secret, request));
  });

await run(program);
