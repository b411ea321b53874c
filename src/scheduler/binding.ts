import type { MaintenanceApi } from "../../contracts/maintenance.ts";

/** The service binding as the platform gives it: RPC, and HTTP beside it. */
export type MaintenanceBinding = MaintenanceApi & Pick<Fetcher, "fetch">;

export interface SchedulerEnv {
  MAINTENANCE: MaintenanceBinding;
  /** "fetch" makes the same calls by HTTP, for a platform on which RPC fails; see docs/maintenance.md. */
  MAINTENANCE_VIA?: string;
}

export function maintenanceOf({ MAINTENANCE, MAINTENANCE_VIA }: SchedulerEnv): MaintenanceApi {
  return MAINTENANCE_VIA === "fetch" ? viaFetch(MAINTENANCE) : MAINTENANCE;
}

function viaFetch(binding: Pick<Fetcher, "fetch">): MaintenanceApi {
  const call = async <T>(method: keyof MaintenanceApi, args: unknown[]): Promise<T> => {
    const init = { method: "POST", body: JSON.stringify(args) };
    const response = await binding.fetch(`http://maintenance/${method}`, init);
    if (!response.ok) throw new Error(`${method} was answered with status ${response.status}.`);
    return ((await response.json()) as { value: T }).value;
  };
  return {
    claimDue: (...args) => call("claimDue", args),
    runStalenessPass: (...args) => call("runStalenessPass", args),
    recordTick: (...args) => call("recordTick", args),
  };
}
