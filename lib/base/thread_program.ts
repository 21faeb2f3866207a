/**
 * Returns the URL of a worker's program in each form of distribution: a bundle of scripts, a bundle of modules, or the
 * sources. `moduleUrl` is the `import.meta.url` of a module in the same folder; undefined in a bundle of scripts.
 */
export function threadProgram(name: string, moduleUrl: string | undefined): URL {
  if (moduleUrl === undefined) return new URL(`./${name}.js`, Deno.mainModule);
  return new URL(`./${name}.${moduleUrl.endsWith(".ts") ? "ts" : "js"}`, moduleUrl);
}
