/**
 * The golden vectors of the template language: all of the folder `VECTORS` (default: beside the repository), undefined
 * where there is none. What a vector holds depends on its kind; the reader names the fields it knows.
 */
export function readGoldenVectors<V extends { readonly kind: string }>(): V[] | undefined {
  const folder = Deno.env.get("VECTORS") ?? new URL("../../../shared/conformance/expr", import.meta.url).pathname;
  try {
    const names = [...Deno.readDirSync(folder)].map((entry) => entry.name).filter((name) => name.endsWith(".json"));
    return names.sort().flatMap((name) => JSON.parse(Deno.readTextFileSync(`${folder}/${name}`)) as V[]);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
