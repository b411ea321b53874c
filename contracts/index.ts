export * from "./api.ts";
export * from "./entities.ts";
export * from "./errors.ts";
export * from "./inputs.ts";
export * from "./limits.ts";
export * from "./vocabulary.ts";
