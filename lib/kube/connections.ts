/** Connections to API servers: how a program finds its server and identifies itself, and transports around others. */
export { connectSharedServer, connectTransport } from "./connect.ts";
export { abortableTransport } from "./ending_transport.ts";
export type { RateLimit } from "./flow_control.ts";
export type { TransportResponse } from "./http/mod.ts";
export { inClusterNamespace, inClusterTransport, isInCluster } from "./in_cluster.ts";
export { connectKubeconfig, hasKubeconfig, kubeconfigAuthorization } from "./kubeconfig.ts";
export type { LoginChoice } from "./login.ts";
export { inTime, timedTransport } from "./timed_transport.ts";
export { type Impersonation, type WebSocketLike, withAuthorization } from "./transport.ts";
