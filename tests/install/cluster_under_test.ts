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

/** A place outside of the cluster that its pods can reach. */
export interface Neighbour {
  /** The address to listen on. */
  readonly address: string;
  /** The words in front of a command that is to run there. */
  readonly command: readonly string[];
}

/** A cluster to test on; disposing it ends it when we started it. */
export interface ClusterUnderTest extends AsyncDisposable {
  /** The kind of the cluster and the reason why it was taken, for people. */
  readonly description: string;
  readonly kubeconfig: string;
  readonly kubectl: Kubectl;
  /** Makes an image (a layout folder or an OCI archive) available to pods under a name; false where there is no way to. */
  load(source: string, name: string): Promise<boolean>;
  /** The place for services that pods use; undefined where nobody knows one. */
  readonly neighbour: Neighbour | undefined;
}

/**
 * Finds a cluster: the one of `kubeconfig` or E2E_KUBECONFIG, else kind where docker answers, else our own. One that runs already is
 * left running.
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
    description: `our own one-node cluster${wasUp ? ", which was up" : ""}`,
    kubeconfig,
    kubectl: new Kubectl([`${programs}/kubectl`, "--kubeconfig", kubeconfig]),
    neighbour: { address: node, command: insideNetwork(settings) },
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

/** A node that pulled an image of this name before would not ask for it again. */
async function forgetImage(settings: ClusterSettings, name: string): Promise<void> {
  const ctr = [`${await clusterPrograms(settings)}/ctr`, "-a", `${settings.directory}/containerd.sock`, "-n", "k8s.io"];
  await runCommand([...ctr, "images", "rm", "--sync", fullName(name)]);
}

/** A cluster of somebody else: its nodes pull from E2E_REGISTRY, or have the images already. */
function givenCluster(kubeconfig: string): ClusterUnderTest {
  const registry = Deno.env.get("E2E_REGISTRY");
  return {
    description: `the cluster of ${kubeconfig}`,
    kubeconfig,
    kubectl: new Kubectl(["kubectl", "--kubeconfig", kubeconfig]),
    neighbour: undefined,
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
    description: "a kind cluster, because docker answers",
    kubeconfig,
    kubectl: new Kubectl(["kubectl", "--kubeconfig", kubeconfig]),
    neighbour: undefined,
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
