/** The names of the schemas, for texts about types. */
import * as api from "./mod.ts";

/** Every schema with a name; locations of artifacts are named after their field. */
export const TYPE_NAMES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ...Object.entries(api).filter(([name]) => /^[A-Z]/.test(name)).map(([name, schema]) => [schema, name] as const),
  ...Object.entries(api.storeSchemas).map(([name, schema]) => [schema, `${name}Artifact`] as const),
]);
