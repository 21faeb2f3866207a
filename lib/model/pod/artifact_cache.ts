/** Names of the node-level cache of input artifacts, shared by the pod builder and the executor. */
export const ARTIFACT_CACHE = {
  /** The volume, which only containers that load inputs mount. */
  volume: "artifact-cache",
  path: "/argo/artifact-cache",
  /** The environment variable with the maximum bytes of the cache. */
  limit: "TIPHYS_ARTIFACT_CACHE_BYTES",
} as const;
