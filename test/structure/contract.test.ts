import { describe, expect, it } from "vitest";
import {
  CLAIM_TAGS,
  CONTRACT_VERSION,
  EDGE_RULES,
  EDGE_TYPES,
  ERROR_CODES,
  KINDS,
  LIMITS,
  METHODS,
  PROVENANCES,
  ROLES,
  STATUSES,
  VOLATILITIES,
} from "../../contracts/index.ts";
import {
  documentVersion,
  quotedIds,
  referredIds,
  ruleIds,
  tableRows,
} from "./contract-document.ts";
import { read, typescriptFiles, withoutComments } from "./project-files.ts";

const known = new Set(ruleIds);

/** Ids quoted in the code of the tests: in titles, never only in a comment. */
const tested = new Map(
  typescriptFiles("test").map((file) => [file, quotedIds(withoutComments(read(file)))]),
);

describe("the rules of the contract", () => {
  it("are there, and have ids of their own", () => {
    expect(ruleIds.length).toBeGreaterThan(100);
    expect(ruleIds.filter((id, at) => ruleIds.indexOf(id) !== at)).toEqual([]);
  });

  it("are each quoted by a test", () => {
    const quoted = new Set([...tested.values()].flat());
    expect(ruleIds.filter((id) => !quoted.has(id))).toEqual([]);
  });

  it("are the only ones that tests quote", () => {
    const unknown = [...tested].flatMap(([file, ids]) =>
      ids.filter((id) => !known.has(id)).map((id) => `${file}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });

  it("are the only ones that the source and the contract itself refer to", () => {
    const sources = ["contracts", "migrations", "src"].flatMap(typescriptFiles);
    const unknown = sources.flatMap((file) =>
      quotedIds(read(file))
        .filter((id) => !known.has(id))
        .map((id) => `${file}: ${id}`),
    );
    expect(unknown).toEqual([]);
    expect(referredIds.filter((id) => !known.has(id))).toEqual([]);
  });
});

describe("the document says what the types say", () => {
  it("about the version", () => {
    expect(documentVersion).toBe(CONTRACT_VERSION);
  });

  it("about every limit", () => {
    const documented = tableRows("limit (limits.ts)").map(([name, value]) => [
      name,
      Number(value?.replaceAll(",", "")),
    ]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(flatten(LIMITS)));
  });

  it("about the closed sets", () => {
    const documented = tableRows("closed set").map(([, values]) =>
      values?.split(", ").map((value) => value.replace(/ \(.*\)$/, "")),
    );
    expect(documented).toEqual([
      KINDS,
      STATUSES,
      VOLATILITIES,
      CLAIM_TAGS,
      PROVENANCES,
      EDGE_TYPES,
    ]);
  });

  it("about the kinds at each end of an edge", () => {
    const documented = tableRows("type").map((row) => row.slice(0, 4));
    const kinds = (list: readonly string[] | "same") =>
      list === "same" ? "the kind of src" : list.length === KINDS.length ? "any" : list.join(", ");
    const typed = EDGE_TYPES.map((type) => {
      const rule = EDGE_RULES[type];
      const symmetric = rule.symmetric ? "yes" : type === "supersedes" ? "no, acyclic" : "no";
      return [type, symmetric, kinds(rule.src), kinds(rule.dst)];
    });
    expect(documented).toEqual(typed);
  });

  it("about error codes and roles", () => {
    expect(tableRows("code").map(([code]) => code)).toEqual(ERROR_CODES);
    expect(tableRows("role").map(([role]) => role)).toEqual(ROLES);
  });

  it("about the methods", () => {
    const surface = /^Reads: .*$/m.exec(read("contracts/MINI_SPHERE_CONTRACT.md"))?.[0] ?? "";
    const documented = [...surface.matchAll(/`(\w+)`/g)].map((match) => match[1]);
    expect(documented).toEqual(METHODS);
  });
});

/** Numbers of a nested record by dotted name. */
function flatten(limits: object, prefix = ""): [string, number][] {
  return Object.entries(limits).flatMap(([name, value]): [string, number][] =>
    typeof value === "number" ? [[prefix + name, value]] : flatten(value, `${prefix}${name}.`),
  );
}
