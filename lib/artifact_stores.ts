/** The kinds of stores that artifacts lie in: each is a field of an artifact, and at most one of them is set. */

/** The fields, in the order of the CRDs. */
export const ARTIFACT_STORES = [
  "s3",
  "git",
  "http",
  "artifactory",
  "hdfs",
  "raw",
  "oss",
  "gcs",
  "azure",
  "plugin",
] as const;

/** Whether an artifact or a location says where it lies, or where it goes. */
export function hasStore(location: object | undefined): boolean {
  return location !== undefined &&
    ARTIFACT_STORES.some((store) => (location as Readonly<Record<string, unknown>>)[store] !== undefined);
}
