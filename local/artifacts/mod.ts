/** The embedded store of artifacts: opened over a folder, served on loopback, with credentials for each namespace. */
export { ArtifactStore } from "./artifact_store.ts";
export { credentialsSecret } from "./credentials.ts";
export { type ServedStore, serveStore } from "./serve.ts";
