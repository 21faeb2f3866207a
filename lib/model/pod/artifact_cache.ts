/** The cache of input artifacts on a node, as the pod builder and the executor speak of it. */
export const ARTIFACT_CACHE = {
  /** The volume, which only containers mount that load inputs. */
  volume: "artifact-cache",
  path: "/argo/artifact-cache",
  /** The variable that says how many bytes may lie in it. */
  limit: "TIPHYS_ARTIFACT_CACHE_BYTES",
} as const;
