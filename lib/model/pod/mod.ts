/** Paths in a pod, shared by the pod builder and the executor. */
export { ARTIFACT_CACHE } from "./artifact_cache.ts";
export { isBaseImagePath, mountedFolders, mountsOfMain, overlappingMount, userVolumeMounts } from "./artifact_paths.ts";
export { below, cleanPath, isUncPath, isWithin } from "./paths.ts";
