import { invalidInput } from "../../contracts/errors.ts";
import { ARGUMENT_NAMES, type Method } from "../../contracts/inputs.ts";

/** No argument of the surface needs more than a few levels; a cycle has no end of them. */
const MAX_DEPTH = 64;

type Path = (string | number)[];

/**
 * The arguments as they go to the object: plain JSON-like data, without trailing `undefined`. Functions,
 * stubs, streams and instances of classes are refused here, because they would open a channel from the
 * object to the caller, or fail to be copied to it.
 *
 * @throws MiniSphereError `invalid_input` with the path of the value ([INP-1]).
 */
export function plainArguments(method: Method, args: readonly unknown[]): unknown[] {
  const sent = [...args];
  while (sent.length > 0 && sent.at(-1) === undefined) sent.pop();
  const foreign = pathToForeign(sent, 0);
  if (foreign === null) return sent;
  const [argument = 0, ...rest] = foreign;
  const path = [ARGUMENT_NAMES[method][Number(argument)] ?? argument, ...rest].join(".");
  throw invalidInput(
    `${method}: ${path}: must be plain JSON data of at most ${MAX_DEPTH} levels, not a function, a stub or an instance of a class.`,
    { path },
  );
}

/** The path is built on the way out, so that looking through a large argument allocates nothing. */
function pathToForeign(value: unknown, depth: number): Path | null {
  if (typeof value === "function" || typeof value === "symbol") return [];
  if (typeof value !== "object" || value === null) return null;
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const path = pathToForeign(value[index], depth + 1);
      if (path !== null) return [index, ...path];
    }
    return null;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return [];
  for (const key in value) {
    const path = pathToForeign((value as Record<string, unknown>)[key], depth + 1);
    if (path !== null) return [key, ...path];
  }
  return null;
}
