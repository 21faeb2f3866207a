import { hasProgram, outputOf, runCommand } from "../../scripts/command.ts";
import {
  clusterAddresses,
  clusterPrograms,
  type ClusterSettings,
  clusterSettings,
  insideNetwork,
  isClusterUp,
  startCluster,
  stopCluster,
} from "../cluster/mod.ts";
import { fullName, pushImage } from "../images/mod.ts";
import { Kubectl } from "./kubectl.ts";

/** A network outside the cluster that its pods can reach. */
export interface HostNetwork {
  /** The address to listen on. */
  readonly address: string;
  /** Prefix of a command that runs in the network. */
  readonly command: readonly string[];
}

/** A cluster to test on. Disposing it stops a cluster that `findCluster` started. */
export interface ClusterUnderTest extends AsyncDisposable {
  /** The kind of the cluster and the reason for its choice, to be printed. */
  readonly description: string;
  readonly kubeconfig: string;
  readonly kubectl: Kubectl;
  /**
   * Makes an image (a layout folder or an OCI archive) available to pods under a name. Returns false if that is
   * impossible.
   */
  load(source: string, name: string): Promise<boolean>;
  /** The network in which to run services for pods; undefined if the cluster has no known one. */
  readonly hostNetwork: HostNetwork | undefined;
}

/**
 * Finds a cluster: that of `kubeconfig` or E2E_KUBECONFIG, otherwise kind if Docker is available, otherwise our own. A
 * cluster that is already running is not stopped afterwards.
 */
export async function findCluster(kubeconfig = Deno.env.get("E2E_KUBECONFIG")): Promise<ClusterUnderTest> {
  const settings = clusterSettings();
  if (kubeconfig === clusterAddresses(settings).kubeconfig && isClusterUp(settings)) return ownCluster(settings);
  if (kubeconfig !== undefined) return givenCluster(kubeconfig);
  if (await hasKind()) return kindCluster();
  return ownCluster(settings);
}

async function ownCluster(settings: ClusterSettings): Promise<ClusterUnderTest> {
  const wasUp = isClusterUp(settings);
  await startCluster(settings);
  const { kubeconfig, registry, node } = clusterAddresses(settings);
  const programs = await clusterPrograms(settings);
  return {
    description: `our own one-node cluster${wasUp ? ", already running" : ""}`,
    kubeconfig,
    kubectl: new Kubectl([`${programs}/kubectl`, "--kubeconfig", kubeconfig]),
    hostNetwork: { address: node, command: insideNetwork(settings) },
    async load(source, name) {
      await pushImage(registry, source, name);
      await forgetImage(settings, name);
      return true;
    },
    async [Symbol.asyncDispose]() {
      if (!wasUp) await stopCluster(settings);
    },
  };
}

/** Removes an image from the node, so that the node pulls it again. */
async function forgetImage(settings: ClusterSettings, name: string): Promise<void> {
  const ctr = [`${await clusterPrograms(settings)}/ctr`, "-a", `${settings.directory}/containerd.sock`, "-n", "k8s.io"];
  await runCommand([...ctr, "images", "rm", "--sync", fullName(name)]);
}

/** An existing cluster. Its nodes pull from E2E_REGISTRY, or already have the images. */
function givenCluster(kubeconfig: string): ClusterUnderTest {
  const registry = Deno.env.get("E2E_REGISTRY");
  return {
    description: `the cluster of ${kubeconfig}`,
    kubeconfig,
    kubectl: new Kubectl(["kubectl", "--kubeconfig", kubeconfig]),
    hostNetwork: undefined,
    async load(source, name) {
      if (registry) await pushImage(registry, source, name);
      return registry !== undefined;
    },
    async [Symbol.asyncDispose]() {},
  };
}

async function hasKind(): Promise<boolean> {
  return (await hasProgram("docker")) && (await hasProgram("kind")) &&
    (await runCommand(["docker", "info"])).code === 0;
}

async function kindCluster(): Promise<ClusterUnderTest> {
  const name = "tiphys-e2e";
  const work = await Deno.makeTempDir({ prefix: "kind-" });
  const kubeconfig = `${work}/kubeconfig`;
  const config = { kind: "Cluster", apiVersion: "kind.x-k8s.io/v1alpha4", featureGates: { ImageVolume: true } };
  await outputOf([
    "kind",
    "create",
    "cluster",
    "--name",
    name,
    "--kubeconfig",
    kubeconfig,
    "--wait",
    "120s",
    "--config",
    "-",
  ], {
    input: JSON.stringify(config),
  });
  return {
    description: "a kind cluster, because Docker is available",
    kubeconfig,
    kubectl: new Kubectl(["kubectl", "--kubeconfig", kubeconfig]),
    hostNetwork: undefined,
    async load(source, image) {
      const archive = `${work}/image.tar`;
      await Deno.remove(archive).catch(() => {});
      const from = (await Deno.stat(source)).isDirectory ? `oci:${source}` : `oci-archive:${source}`;
      await outputOf(["skopeo", "copy", "--quiet", from, `docker-archive:${archive}:${image}`]);
      await outputOf(["kind", "load", "image-archive", archive, "--name", name]);
      return true;
    },
    async [Symbol.asyncDispose]() {
      await outputOf(["kind", "delete", "cluster", "--name", name]);
      await Deno.remove(work, { recursive: true });
    },
  };
}
