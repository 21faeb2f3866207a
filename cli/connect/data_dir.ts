/** The folders of an embedded cluster: for persistent data, and for caches. */

/** Reads a variable of the environment. */
type Env = (name: string) => string | undefined;

/** Returns the default data folder: `tiphys` in the XDG data home. */
export function defaultDataDir(env: Env): string {
  return `${env("XDG_DATA_HOME") || `${env("HOME") ?? "."}/.local/share`}/tiphys`;
}

/** Returns the cache folder: `tiphys` in the XDG cache home. */
export function cacheDir(env: Env): string {
  return `${env("XDG_CACHE_HOME") || `${env("HOME") ?? "."}/.cache`}/tiphys`;
}
