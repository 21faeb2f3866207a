/**
 * A cluster to test on, with the project installed on it: what the end-to-end tests and the conformance suite share.
 *
 * - `cluster_under_test.ts`: which cluster: kind, one that is given, or one of our own;
 * - `kubectl.ts`: asking it;
 * - `installation.ts`: our images and manifests on it;
 * - `npm.ts`: npm with the package of the command line, which needs no cluster.
 */
export { type ClusterUnderTest, findCluster, type Neighbour } from "./cluster_under_test.ts";
export {
  applyKinds,
  awaitServer,
  FAST_COMPRESSION,
  install,
  installServer,
  restartController,
  startController,
  stopController,
} from "./installation.ts";
export { Kubectl } from "./kubectl.ts";
