import { describe, expect, it } from "vitest";
import * as fc from "fast-check";
import { LIMITS } from "../../contracts/index.ts";
import { withoutSecrets } from "../../src/gadget/secrets.ts";
import { settingsOf } from "../../src/gadget/settings.ts";
import { CREDENTIAL, CREDENTIALS } from "../support/credentials.ts";
import { errorOf, inSphere } from "../support/sphere.ts";

const note = (n: number) => `key ${n}: ${CREDENTIAL}.`;
const cleared = (n: number) => `key ${n}: [masked].`;

describe("the policy mask", () => {
  it("[SEC-2] stores the text without the credential, and a capture says so", () =>
    inSphere(
      ({ owner }) => {
        const { id, warnings } = owner.capture(note(1), { source: note(2) });
        expect(warnings).toEqual([
          `content: ${CREDENTIAL.length} characters at 7 masked (github)`,
          `source: ${CREDENTIAL.length} characters at 7 masked (github)`,
        ]);
        expect(owner.getEntry(id)).toMatchObject({ content: cleared(1), source: cleared(2) });
      },
      { secrets: "mask" },
    ));

  it("[SEC-2] holds for each item of a captureMany", () =>
    inSphere(
      ({ owner }) => {
        const items = [{ content: "plain" }, { content: note(1), evidenceRef: note(2) }];
        const { results } = owner.captureMany(items);
        expect(results.map(({ warnings }) => warnings.map((each) => each.split(":")[0]))).toEqual([
          [],
          ["content", "evidenceRef"],
        ]);
        expect(owner.getEntry(results[1]?.id ?? "")).toMatchObject({ content: cleared(1) });
      },
      { secrets: "mask" },
    ));

  it("[SEC-2] holds for append, update, setStatus and link", () =>
    inSphere(
      ({ owner, sql }) => {
        const [a, b] = [owner.capture("one").id, owner.capture("two").id];
        const masked = (name: string) =>
          `${name}: ${CREDENTIAL.length} characters at 7 masked (github)`;
        expect(owner.append(a, note(1)).warnings).toEqual([masked("addition")]);
        const { warnings } = owner.update(b, note(2), { source: note(3) });
        expect(warnings).toEqual([masked("content"), masked("source")]);
        const status = owner.setStatus(b, "deprecated", { reason: note(4) });
        expect(status.warnings).toEqual([masked("reason")]);
        const linked = owner.link(a, b, "follows", { metadata: { [note(5)]: { in: note(6) } } });
        expect(linked.warnings).toEqual([masked("metadata"), masked("metadata")]);
        const { edge } = linked;
        expect(owner.getEntry(a).content).toBe(`one\n\n${cleared(1)}`);
        expect(owner.getEntry(b)).toMatchObject({ content: cleared(2), source: cleared(3) });
        expect(owner.history(b).revisions[0]?.reason).toBe(cleared(4));
        expect(edge.metadata).toEqual({ [cleared(5)]: { in: cleared(6) } });
        expect(owner.update(b, null, { importance: 2 })).not.toHaveProperty("warnings");
        expect(JSON.stringify(sql.all("SELECT * FROM entries"))).not.toContain(CREDENTIAL);
      },
      { secrets: "mask" },
    ));

  it("[SEC-2] comes before equal bytes are looked for", () =>
    inSphere(
      ({ owner }) => {
        const { id } = owner.capture(cleared(1));
        expect(owner.capture(note(1))).toMatchObject({ id, created: false });
      },
      { secrets: "mask" },
    ));

  it("[SEC-2] makes one tag of two that differed by their credentials", () =>
    inSphere(
      ({ owner }) => {
        const tags = [1, 2].map((n) => `figd_${String(n).repeat(40)}`);
        const { id } = owner.capture("x", { tags });
        expect(owner.getEntry(id).tags).toEqual(["[masked]"]);
      },
      { secrets: "mask" },
    ));

  it("[SEC-2] leaves nothing to mask, nothing longer, and the rest as it was", () => {
    const piece = fc.oneof(
      fc.constantFrom(...CREDENTIALS.map(([, credential]) => credential)),
      fc.string({ unit: "binary" }),
      fc.constantFrom(" ", "\n", "[masked]", "-----BEGIN RSA PRIVATE KEY-----", "https://a:b@"),
    );
    const mask = (text: string) => withoutSecrets("mask", "capture", [text] as const);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join(" ");
        const { args, masked } = mask(text);
        let rest = "";
        let end = 0;
        for (const { offset, length } of masked) {
          expect(offset).toBeGreaterThanOrEqual(end);
          rest += `${text.slice(end, offset)}[masked]`;
          end = offset + length;
        }
        expect(args[0]).toBe(rest + text.slice(end));
        expect(args[0].length).toBeLessThanOrEqual(text.length);
        expect(mask(args[0]).masked).toEqual([]);
      }),
    );
  });
});

describe("the policy", () => {
  it("[SEC-3] allow stores what it is told", () =>
    inSphere(
      ({ owner }) => {
        const { id, warnings } = owner.capture(note(1));
        expect(warnings).toEqual([]);
        expect(owner.getEntry(id).content).toBe(note(1));
      },
      { secrets: "allow" },
    ));

  it.each(["refuse", "mask", "allow"])("[SEC-3] may be %s", (value) => {
    expect(settingsOf({ SPHERE_SECRETS: value })).toEqual({ secrets: value });
  });

  it.each(["", "Mask", "no", 1, true, null, {}])(
    "[SEC-3] is refused in words when it is %j",
    (value) => {
      expect(errorOf(() => settingsOf({ SPHERE_SECRETS: value }))).toMatchObject({
        code: "unavailable",
        message: `This Worker's variable SPHERE_SECRETS must be one of refuse, mask, allow, not ${JSON.stringify(value)}; its operator must correct it.`,
      });
    },
  );
});

describe("recognising", () => {
  /** Beginnings of formats, which a rule that backtracks would try at each place anew. */
  const beginnings = CREDENTIALS.flatMap(([, credential]) =>
    [6, 20].map((chars) => credential.slice(0, chars)),
  );

  // Quadratic work over the longest text takes minutes, and the runner ends a test after one.
  it.each([...new Set([...beginnings, "ghs_1_", "-ghs_1_a.", "a_", "\n "])])(
    "[SEC-1] ends over the longest text of %j",
    (unit) => {
      const text = unit.repeat(Math.floor(LIMITS.contentBytes / unit.length));
      expect(withoutSecrets("mask", "capture", [text] as const).args[0].length).toBeGreaterThan(0);
    },
  );
});
