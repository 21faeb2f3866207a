/** The embedded artifact store: opens a folder, serves it on loopback, and has credentials for each namespace. */
export { ArtifactStore } from "./artifact_store.ts";
export { credentialsSecret } from "./credentials.ts";
export { type ServedStore, serveStore } from "./serve.ts";
