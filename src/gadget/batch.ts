import type { BatchOperation, Batched, BatchResult, Parsed } from "../../contracts/index.ts";
import { MiniSphereError, invalidInput } from "../../contracts/index.ts";

/** An operation of a batch that has passed its method's own door. */
export interface Checked {
  method: Batched;
  as: string | undefined;
  input: readonly unknown[];
}

/** Where in the arguments ids stand: only there is `$name` a reference, so texts need no escaping ([BAT-3]). */
const ID_ARGUMENTS: Readonly<Record<Batched, number>> = {
  capture: 0,
  append: 1,
  update: 1,
  setStatus: 1,
  forget: 1,
  link: 2,
  unlink: 2,
};

/**
 * Every operation judged before anything is written, by `check`: allowed, and parsed.
 *
 * @throws MiniSphereError what the operation's own call would throw, with its `index` ([BAT-2]).
 */
export function checkBatch(
  operations: readonly BatchOperation[],
  check: (method: Batched, args: readonly unknown[]) => readonly unknown[],
): Checked[] {
  return operations.map(({ method, args, as }, index) =>
    at(index, method, () => ({ method, as, input: check(method, args) })),
  );
}

/** One after the other in the caller's transaction; the first that is refused ends it ([BAT-1]). */
export function runBatch(
  operations: readonly Checked[],
  run: (method: Batched, input: readonly unknown[]) => unknown,
): { results: BatchResult[] } {
  const ids = new Map<string, string>();
  const results = operations.map(({ method, as, input }, index) =>
    at(index, method, () => {
      const result = run(method, resolve(method, input, ids)) as BatchResult;
      if (as !== undefined && "id" in result) ids.set(as, result.id);
      return result;
    }),
  );
  return { results };
}

function resolve(method: Batched, input: readonly unknown[], ids: ReadonlyMap<string, string>) {
  const idOf = (value: string) => {
    if (!value.startsWith("$")) return value;
    const id = ids.get(value.slice(1));
    if (id !== undefined) return id;
    throw invalidInput(
      `"${value}" names no earlier capture of this batch; give that capture as: "${value.slice(1)}" and put it before.`,
      { reference: value },
    );
  };
  if (method === "capture") {
    const [content, options] = input as Parsed<"capture">;
    if (options === undefined) return input;
    const derivedFrom = options.derivedFrom?.map(idOf);
    const links = options.links?.map((link) => ({
      ...link,
      ...("src" in link && link.src !== undefined && { src: idOf(link.src) }),
      ...("dst" in link && link.dst !== undefined && { dst: idOf(link.dst) }),
    }));
    return [content, { ...options, links, derivedFrom }];
  }
  const upTo = ID_ARGUMENTS[method];
  return input.map((value, index) => (index < upTo ? idOf(value as string) : value));
}

function at<T>(index: number, method: Batched, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof MiniSphereError)) throw error;
    throw new MiniSphereError(error.code, `Operation ${index} (${method}): ${error.message}`, {
      ...error.details,
      index,
    });
  }
}
