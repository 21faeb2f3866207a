/**
 * Loads test files into one module graph, so that the modules they have in common are read, compiled and evaluated once
 * for all of them: that takes most of the time of a small test file. The files are those of {@link SHARED_FILES}. The
 * name of each test gets its file and the number of tests of that file as a prefix.
 */
import { collectTests, type Definition, prefixOf, SHARED_FILES } from "./sharing.ts";

const ROOT = new URL("../../", import.meta.url);
const listed = Deno.env.get(SHARED_FILES);
// Programs that tests start do not inherit it.
Deno.env.delete(SHARED_FILES);

for (const file of JSON.parse(listed ?? "[]") as string[]) {
  const definitions = await testsOf(file);
  for (const definition of definitions) {
    Deno.test({ ...definition, name: `${prefixOf(file, definitions.length)}${definition.name}` });
  }
}

/** The tests of a file; one that fails if the file cannot be loaded. */
async function testsOf(file: string): Promise<readonly Definition[]> {
  try {
    return await collectTests(() => import(new URL(file, ROOT).href));
  } catch (error) {
    return [{ name: "(cannot be loaded)", fn: () => Promise.reject(error) }];
  }
}
