/** Reads the golden vectors of the folder that `VECTORS` names (default: beside the repository). */
import type { Vector } from "./vector.ts";

/** The folder that is asked for vectors. */
export const FOLDER = Deno.env.get("VECTORS") ??
  new URL("../../../shared/conformance/expr", import.meta.url).pathname;

/** Every vector of the folder by its kind; undefined where there is no such folder. */
export function readVectors(): Map<string, Vector[]> | undefined {
  try {
    const names = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) => name.endsWith(".json"));
    const vectors = names.sort().flatMap((name) => JSON.parse(Deno.readTextFileSync(`${FOLDER}/${name}`)) as Vector[]);
    return Map.groupBy(vectors, ({ kind }) => kind);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
