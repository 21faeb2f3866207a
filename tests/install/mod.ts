/**
 * Shared by the end-to-end tests and the conformance suite: a cluster with the project installed on it.
 *
 * - `cluster.ts`: finds or starts a cluster: kind, an existing one, or our own
 * - `kubectl.ts`: runs kubectl
 * - `installation.ts`: installs our images and manifests
 * - `npm.ts`: runs npm with the package of the CLI; needs no cluster
 */
export { type ClusterUnderTest, findCluster, type HostNetwork } from "./cluster.ts";
export {
  applyCrds,
  awaitServer,
  FAST_COMPRESSION,
  install,
  installServer,
  restartController,
  startController,
  stopController,
} from "./installation.ts";
export { Kubectl } from "./kubectl.ts";
