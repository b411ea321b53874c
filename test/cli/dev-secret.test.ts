import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { ensureDevSecret, SECRET_NAME, tokenSecret } from "../../src/cli/dev-secret.ts";
import { temporaryTree } from "./support.ts";

const varsOf = (root: string) => readFile(join(root, ".dev.vars"), "utf8");
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe("the development secret", () => {
  it("is made on first use, long enough and readable by its owner only", async () => {
    const root = await temporaryTree();
    const { secret, created } = await ensureDevSecret(root);
    expect(created).toBe(true);
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(parseEnv(await varsOf(root))).toEqual({ [SECRET_NAME]: secret });
    expect(await modeOf(join(root, ".dev.vars"))).toBe(0o600);
  });

  it("is the same ever after", async () => {
    const root = await temporaryTree();
    const first = await ensureDevSecret(root);
    expect(await ensureDevSecret(root)).toEqual({ secret: first.secret, created: false });
  });

  it("leaves a file that has one as it is", async () => {
    const file = `# mine\nOTHER=1\nexport ${SECRET_NAME}="chosen by hand"\n`;
    const root = await temporaryTree({ ".dev.vars": file });
    expect(await ensureDevSecret(root)).toEqual({ secret: "chosen by hand", created: false });
    expect(await varsOf(root)).toBe(file);
  });

  it.each([
    ["without an end of line", "# mine\nOTHER=1"],
    ["with an empty secret", `# mine\n${SECRET_NAME}=\nOTHER=1\n`],
  ])("is added to a file %s, whose other lines stay", async (_, file) => {
    const root = await temporaryTree({ ".dev.vars": file });
    const { secret } = await ensureDevSecret(root);
    expect(await varsOf(root)).toBe(`# mine\nOTHER=1\n${SECRET_NAME}=${secret}\n`);
    expect(await modeOf(join(root, ".dev.vars"))).toBe(0o600);
  });

  it("gives way to the environment", async () => {
    const root = await temporaryTree();
    expect(await tokenSecret(root, { [SECRET_NAME]: "from outside" })).toBe("from outside");
    await expect(varsOf(root)).rejects.toThrow(/ENOENT/);
  });
});
