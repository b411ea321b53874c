/*
 * For hosts: Workers and objects that run the class themselves, as a namespace object, a facet or from a
 * Worker Loader, and hold its stub ([ACC-9]). They hand on less than that stub with the same role classes, and may keep the
 * directory and the entrypoint that the scheduled Worker needs.
 */
export { MiniSphere } from "./gadget/mini-sphere.ts";
export {
  type Authority,
  capabilityFor,
  Contributor,
  Curator,
  Maintainer,
  Owner,
  Reader,
} from "./access/roles.ts";
export { registerDue, WorkspaceDirectory } from "./worker/directory.ts";
export { Maintenance } from "./worker/maintenance.ts";
