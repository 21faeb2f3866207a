/** The programs of threads. */

/**
 * The address of a thread's program, wherever this one runs from: a bundle of scripts, a bundle of modules, or the sources.
 * `moduleUrl` is the `import.meta.url` of the module next to it; undefined in a bundle of scripts.
 */
export function threadProgram(name: string, moduleUrl: string | undefined): URL {
  if (moduleUrl === undefined) return new URL(`./${name}.js`, Deno.mainModule);
  return new URL(`./${name}.${moduleUrl.endsWith(".ts") ? "ts" : "js"}`, moduleUrl);
}
