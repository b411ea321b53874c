import path from "node:path";
import { describe, expect, it } from "vitest";
import { read, typescriptFiles, withoutComments } from "./project-files.ts";

/*
 * What each layer may import: lower layers and packages. Types count as well: a layer that names a type of
 * a higher one has the wrong idea of where it stands. A layer may always import itself.
 */
const MAY_IMPORT: Record<string, string> = {
  contracts: "zod",
  lib: "@noble/hashes",
  migrations: "",
  analysis: "contracts lib stemmer",
  retrieval: "contracts lib analysis chrono-node",
  storage: "contracts lib analysis migrations",
  staleness: "contracts lib storage",
  bindings: "",
  gadget:
    "contracts lib bindings analysis retrieval storage staleness migrations cloudflare:workers @secretlint/secretlint-rule-preset-recommend",
  access: "contracts lib zod jose capnweb cloudflare:workers",
  worker:
    "contracts lib analysis retrieval storage staleness gadget access capnweb cloudflare:workers zod",
  // What the package gives to hosts that hold a stub of the object.
  host: "contracts gadget access worker",
  scheduler: "contracts cloudflare:workers",
  client: "contracts capnweb zod",
  inspector: "contracts lib analysis client dompurify diff marked",
  importers: "contracts lib node: marked",
  transfer: "contracts lib",
  cli: "contracts lib access client importers transfer node: commander cli-progress marked zod",
};

const allowedIn = (layer: string) => [layer, ...(MAY_IMPORT[layer] ?? "").split(" ")];

const files = ["contracts", "migrations", "src"].flatMap(typescriptFiles);

/** `src/storage/tags.ts` is of the layer storage, `contracts/index.ts` of contracts. */
function layerOf(file: string): string {
  const [top = "", name = ""] = file.split("/");
  return top === "src" ? path.basename(name, ".ts") : top;
}

/** Everything a module imports or re-exports, statically or dynamically: layers and package names. */
function importsOf(file: string): string[] {
  const source = withoutComments(read(file));
  const specifiers = source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([\w@.:/-]+)["']/g);
  return [...specifiers].map(([, specifier = ""]) =>
    specifier.startsWith(".")
      ? layerOf(path.posix.join(path.posix.dirname(file), specifier))
      : packageOf(specifier),
  );
}

function packageOf(specifier: string): string {
  if (specifier.startsWith("node:")) return "node:";
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

describe("layers", () => {
  it("have every module in one of them", () => {
    expect(files.filter((file) => !(layerOf(file) in MAY_IMPORT))).toEqual([]);
  });

  it.each(Object.keys(MAY_IMPORT))("%s imports only what stands below it", (layer) => {
    const allowed = new Set(allowedIn(layer));
    const wrong = files
      .filter((file) => layerOf(file) === layer)
      .flatMap((file) =>
        importsOf(file)
          .filter((name) => !allowed.has(name))
          .map((name) => `${file} imports ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  it("stand in one order: the table lets each import only those above it in the table", () => {
    const layers = Object.keys(MAY_IMPORT);
    const upward = layers.flatMap((layer, at) =>
      layers.slice(at + 1).filter((higher) => allowedIn(layer).includes(higher)),
    );
    expect(upward).toEqual([]);
  });
});

describe("SQL", () => {
  const outside = files.filter((file) => layerOf(file) !== "storage");

  it("is run only in src/storage", () => {
    expect(outside.filter((file) => /\bsql\s*\.\s*exec\b/.test(read(file)))).toEqual([]);
  });

  it("is written only in src/storage", () => {
    const statement = /["'`]\s*(?:SELECT|INSERT|UPDATE|DELETE|REPLACE|WITH|CREATE|PRAGMA)\s/;
    expect(outside.filter((file) => statement.test(withoutComments(read(file))))).toEqual([]);
  });
});
