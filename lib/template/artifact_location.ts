/** Says whether an artifact tells where it lies. */

/** An artifact, or a part of one, as written. */
export type ArtifactFields = { readonly [field: string]: unknown };

/** For each kind of store: the fields a full location has, and the one that is its key. */
const STORES: Record<string, { readonly full: readonly string[]; readonly key?: string }> = {
  artifactory: { full: ["url", "usernameSecret"], key: "url" },
  azure: { full: ["endpoint", "container", "blob"], key: "blob" },
  gcs: { full: ["bucket", "key"], key: "key" },
  git: { full: ["repo"] },
  hdfs: { full: ["addresses"], key: "path" },
  http: { full: ["url"], key: "url" },
  oss: { full: ["bucket", "endpoint", "key"], key: "key" },
  plugin: { full: ["name", "configuration", "key"], key: "key" },
  raw: { full: [] },
  s3: { full: ["endpoint", "bucket", "key"], key: "key" },
};

/** Says whether an artifact has a full location, or at least a key that a repository completes. */
export function hasLocationOrKey(artifact: ArtifactFields): boolean {
  for (const [store, { full, key }] of Object.entries(STORES)) {
    const location = artifact[store] as ArtifactFields | undefined | null;
    if (!location) continue;
    return full.every((field) => isFilled(location[field])) || (key !== undefined && isFilled(location[key]));
  }
  return false;
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
