/** The folders of an embedded cluster: for what lasts, and for what can be made again. */

/** Reads a variable of the environment. */
type Env = (name: string) => string | undefined;

/** The data folder when none is named: the XDG data home's `tiphys`. */
export function defaultDataDir(env: Env): string {
  return `${env("XDG_DATA_HOME") || `${env("HOME") ?? "."}/.local/share`}/tiphys`;
}

/** The cache folder: the XDG cache home's `tiphys`. */
export function cacheDir(env: Env): string {
  return `${env("XDG_CACHE_HOME") || `${env("HOME") ?? "."}/.cache`}/tiphys`;
}
