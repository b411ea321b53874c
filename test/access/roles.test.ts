import { RpcTarget } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { METHODS_BY_ROLE } from "../../contracts/api.ts";
import type { Grant, GrantedCalls, Method, Reply } from "../../contracts/index.ts";
import { ROLES, type Role } from "../../contracts/vocabulary.ts";
import {
  type Authority,
  capabilityFor,
  Contributor,
  Curator,
  Maintainer,
  Owner,
  Reader,
} from "../../src/access/roles.ts";

interface Sent {
  grant: Grant;
  method: Method;
  args: unknown[];
}

/** Answers every call with `reply`, and tells what was sent. */
function authority(reply: unknown = { ok: true, value: 0 }): Authority & { sent: Sent[] } {
  const sent: Sent[] = [];
  const target: GrantedCalls = {
    async call<M extends Method>(grant: Grant, method: M, args: unknown[]) {
      sent.push({ grant, method, args });
      return reply as Reply<M>;
    },
  };
  return { target, actor: "agent:7", sent };
}

/** What a caller can reach: methods and getters on the prototypes below the class of all targets. */
function reachable(capability: object): string[] {
  const names: string[] = [];
  for (
    let prototype: object = Object.getPrototypeOf(capability);
    prototype !== RpcTarget.prototype;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    names.push(...Object.getOwnPropertyNames(prototype));
  }
  return names.filter((name) => name !== "constructor").sort();
}

const ATTENUATIONS: Record<Role, string[]> = {
  reader: ["readOnly"],
  contributor: ["readOnly", "asContributor"],
  curator: ["readOnly", "asContributor"],
  maintainer: [],
  owner: ["readOnly", "asContributor"],
};

/** On every role ([ACC-10], [ACC-13], [ACC-14]). */
const EVERY_ROLE = ["asActor", "until", "withTags"];

describe.each(ROLES)("a capability of role %s", (role) => {
  it("[ACC-2] has exactly the methods of its role, and its attenuations", () => {
    expect(reachable(capabilityFor(role, authority()))).toEqual(
      [...METHODS_BY_ROLE[role], ...EVERY_ROLE, ...ATTENUATIONS[role]].sort(),
    );
  });

  it("[ACC-4] has no property of its own: state is private", () => {
    expect(Reflect.ownKeys(capabilityFor(role, authority()))).toEqual([]);
  });

  it.each(METHODS_BY_ROLE[role])(
    "[ACC-3] stamps the role and the actor into %s",
    async (method) => {
      const { sent, ...given } = authority();
      const capability = capabilityFor(role, given) as unknown as Record<
        string,
        (...args: unknown[]) => Promise<unknown>
      >;
      await capability[method]?.("word", { role: "owner", actor: "someone else" });
      expect(sent).toEqual([
        {
          grant: { role, actor: "agent:7" },
          method,
          args: ["word", { role: "owner", actor: "someone else" }],
        },
      ]);
    },
  );
});

describe("attenuation", () => {
  const more = [Contributor, Curator, Owner] as const;

  it.each([Reader, ...more])("[ACC-8] readOnly() of %o reads, as the same actor", async (Class) => {
    const given = authority();
    const lesser = new Class(given).readOnly();
    await lesser.getCount();
    expect(lesser.constructor).toBe(Reader);
    expect(given.sent[0]?.grant).toEqual({ role: "reader", actor: "agent:7" });
  });

  it.each(more)("[ACC-8] asContributor() of %o proposes, as the same actor", async (Class) => {
    const given = authority();
    const lesser = new Class(given).asContributor();
    await lesser.capture("word");
    expect(lesser.constructor).toBe(Contributor);
    expect(given.sent[0]?.grant).toEqual({ role: "contributor", actor: "agent:7" });
  });

  it("[ACC-8] has no way back", () => {
    const reader = new Owner(authority()).readOnly();
    expect("asContributor" in reader).toBe(false);
    expect(reader.readOnly().constructor).toBe(Reader);
    expect(new Maintainer(authority())).not.toHaveProperty("readOnly");
  });
});

describe("less of the same", () => {
  it("[ACC-10] withTags() adds to a scope and takes nothing away, on every role", () => {
    for (const role of ROLES) {
      const given = authority();
      const scoped = capabilityFor(role, given).withTags(["Beta"]).withTags(["alpha", "beta"]);
      expect(scoped.constructor).toBe(capabilityFor(role, given).constructor);
    }
    const given = authority();
    const scoped = new Owner(given).withTags([" Beta "]).withTags(["alpha"]).readOnly();
    void scoped.getCount();
    expect(given.sent[0]?.grant).toEqual({
      role: "reader",
      actor: "agent:7",
      tags: ["alpha", "beta"],
    });
  });

  it.each([[[]], [["session:1"]], [["a\0"]], ["a"], [[" "]], [[7]]])(
    "[ACC-10] withTags(%j) is invalid_input",
    (tags) => {
      const refused = () => new Reader(authority()).withTags(tags as never);
      expect(refused).toThrow(expect.objectContaining({ code: "invalid_input" }));
    },
  );

  it("[ACC-13] asActor() names a sub-actor, in at most 64 characters and without a slash", () => {
    const given = authority();
    void new Reader(given).asActor("a").asActor("b c").getCount();
    expect(given.sent[0]?.grant.actor).toBe("agent:7/a/b c");
    for (const name of ["", "a/b", " a", "a\n", "x".repeat(57), 7]) {
      const refused = () => new Reader(authority()).asActor(name as string);
      expect(refused).toThrow(expect.objectContaining({ code: "invalid_input" }));
    }
  });

  it("[ACC-14] until() only shortens", () => {
    const given = authority();
    void new Reader(given).until(50).until(90).getCount();
    void new Reader(given).until(50).until(20).getCount();
    expect(given.sent.map(({ grant }) => grant.until)).toEqual([50, 20]);
  });

  it("[ACC-15] disposing ends what came from it, and nothing that it came from", async () => {
    const owner = new Owner(authority());
    const middle = owner.withTags(["a"]);
    const leaf = middle.readOnly().asActor("x");
    middle[Symbol.dispose]();
    await expect(leaf.getCount()).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(middle.getCount()).rejects.toMatchObject({ code: "unauthenticated" });
    expect(() => leaf.until(5)).toThrow(expect.objectContaining({ code: "unauthenticated" }));
    await expect(owner.getCount()).resolves.toBe(0);
  });
});

describe("a call", () => {
  it("passes more and fewer arguments on: the object's schema judges them", async () => {
    const given = authority();
    const reader = new Reader(given) as unknown as Record<string, (...args: unknown[]) => unknown>;
    await reader["getCount"]?.(1, "two", { three: [3n] });
    await reader["recall"]?.();
    expect(given.sent.map(({ args }) => args)).toEqual([[1, "two", { three: [3n] }], []]);
  });

  it("drops undefined at the end and keeps it in between", async () => {
    const given = authority();
    await new Reader(given).recall(undefined as never, undefined);
    await new Curator(given).update("id", undefined as never, {});
    expect(given.sent.map(({ args }) => args)).toEqual([[], ["id", undefined, {}]]);
  });

  it("[ERR-1] throws what the object answered as an error, with its code, sentence and details", async () => {
    const error = { code: "conflict", message: "Changed since.", details: { revision: 3 } };
    const curator = new Curator(authority({ ok: false, error }));
    await expect(curator.update("id", null)).rejects.toMatchObject({
      name: "MiniSphereError",
      ...error,
    });
  });

  const foreign: [string, unknown, string][] = [
    ["a function", () => {}, "options"],
    ["a function inside", { tag: ["a", () => {}] }, "options.tag.1"],
    ["a capability", new Reader(authority()), "options"],
    ["a symbol", Symbol("s"), "options"],
    ["a date", { since: new Date(0) }, "options.since"],
    ["a map", new Map(), "options"],
    ["bytes", new Uint8Array(2), "options"],
    ["a stream", new ReadableStream(), "options"],
    ["a promise", { tag: Promise.resolve("x") }, "options.tag"],
    ["an error", new Error("x"), "options"],
  ];

  it.each(foreign)(
    "[INP-1] refuses %s with its path, and sends nothing",
    async (_, value, path) => {
      const given = authority();
      await expect(new Reader(given).recall("x", value as never)).rejects.toMatchObject({
        code: "invalid_input",
        details: { path },
      });
      expect(given.sent).toEqual([]);
    },
  );

  it("refuses a value without an end", async () => {
    const endless: Record<string, unknown> = {};
    endless["self"] = endless;
    await expect(new Reader(authority()).recall("x", endless as never)).rejects.toMatchObject({
      code: "invalid_input",
    });
  });
});
