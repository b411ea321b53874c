type Exec = (
  query: string,
  ...bindings: unknown[]
) => SqlStorageCursor<Record<string, SqlStorageValue>>;

/** The real storage, with every statement passed through `around`, which may look at it or throw. */
export function interceptingSql(
  storage: DurableObjectStorage,
  around: (exec: Exec, query: string, bindings: unknown[]) => ReturnType<Exec>,
): DurableObjectStorage {
  const exec: Exec = (query, ...bindings) => storage.sql.exec(query, ...(bindings as never[]));
  const sql = withProperties(storage.sql, {
    exec: (query: string, ...bindings: unknown[]) => around(exec, query, bindings),
  });
  return withProperties(storage, { sql });
}

/** A view of a native object, whose methods insist on their own receiver, with some properties replaced. */
function withProperties<T extends object>(target: T, replaced: Record<string, unknown>): T {
  return new Proxy(target, {
    get(_target, name) {
      if (typeof name === "string" && name in replaced) return replaced[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
