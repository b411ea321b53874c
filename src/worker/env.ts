import type { MiniSphere } from "../gadget/mini-sphere.ts";
import type { WorkspaceDirectory } from "./directory.ts";

/** The bindings of wrangler.toml. */
export interface Env {
  SPHERES: DurableObjectNamespace<MiniSphere>;
  DIRECTORY: DurableObjectNamespace<WorkspaceDirectory>;
  /** Signs session tokens; without it every session is refused ([TOK-2]). */
  SPHERE_TOKEN_SECRET?: string;
  /** Shards of the directory, 1 to 256; 8 when it is not set ([MNT-8]). */
  DIRECTORY_SHARDS?: string | number;
  /** Bytes of a workspace's database; read by its object ([LIM-3]). */
  SPHERE_MAX_DATABASE_BYTES?: string | number;
  /** "refuse", "mask" or "allow" credentials in what is written; read by the object ([SEC-3]). */
  SPHERE_SECRETS?: string;
  /** Optional; read by the object, as are the next two ([BND-1]). */
  EMBEDDER?: unknown;
  AI?: unknown;
  /** A text-embedding model of Workers AI. */
  SPHERE_EMBEDDING_MODEL?: string;
}
