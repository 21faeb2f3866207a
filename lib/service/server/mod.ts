/** Argo servers as a `WorkflowService` and an archive. */
export { sendOverNet as overNet, type ServerAddress } from "./exchange.ts";
export { ServerArchive } from "./server_archive.ts";
export { ServerService } from "./server_service.ts";
export { type ServerVersion, serverVersion } from "./server_version.ts";
export { serverLimits } from "./sync_limits.ts";
