/** Installs the project on a cluster, with images like those of a release, but with faster compression. */
import { buildImages, type BuiltImage } from "../../scripts/build.ts";
import { IMAGE_PACKAGES } from "../../scripts/build_git.ts";
import type { Compression } from "../../scripts/oci_layout.ts";
import { systemClock } from "@tiphys/base/clock";
import { KubeClient } from "@tiphys/kube";
import { connectKubeconfig } from "@tiphys/kube/connections";
import { imagesOf, planOf, takeoverOf } from "@tiphys/installation/takeover";
import { VERSION } from "@tiphys/base/version";
import { clusterSettings, ensureDebianPackages, helmProgram } from "../cluster/mod.ts";
import type { CrdSet } from "../../scripts/gen_crd.ts";
import { argoInstall } from "../foreign/argo_install.ts";
import { foreignCrds } from "../foreign/crds.ts";
import type { ClusterUnderTest } from "./cluster.ts";
import type { Kubectl } from "./kubectl.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const DEPLOYMENT = "deployment/workflow-controller";
const SERVER = "deployment/argo-server";

/** The compression of the release, at a level that takes seconds. */
export const FAST_COMPRESSION: Compression = { kind: "zstd", level: 9 };

/**
 * Builds our images, loads them into the cluster, applies our manifests, and waits for the controller. With `foreign`,
 * installs Argo with that set of its CRDs instead, and takes it over.
 */
export async function install(
  cluster: ClusterUnderTest,
  namespace: string,
  { foreign }: { readonly foreign?: CrdSet | undefined } = {},
): Promise<{ executor: BuiltImage }> {
  await ensureDebianPackages(IMAGE_PACKAGES);
  const images = await buildImages(`${ROOT}build/e2e`, FAST_COMPRESSION);
  for (const { reference, archive } of images) await cluster.load(archive, reference);
  const { kubectl } = cluster;
  await removeSettings(kubectl, namespace);
  if (foreign) {
    await installArgo(cluster, namespace, foreign);
    await takeOver(cluster, namespace);
    await kubectl.output("apply", "-f", `${ROOT}manifests/report-policy.yaml`);
  } else {
    await applyCrds(kubectl);
    await kubectl.output("apply", "-f", `${ROOT}manifests/install.yaml`, "-f", `${ROOT}manifests/report-policy.yaml`);
  }
  await restartController(kubectl, namespace);
  return { executor: images[0] };
}

/**
 * Removes settings that another suite may have left on the cluster: the controller with its environment, its ConfigMap,
 * and the default artifact repository, whose server has stopped with that suite.
 */
async function removeSettings(kubectl: Kubectl, namespace: string): Promise<void> {
  const objects = [DEPLOYMENT, "configmap/workflow-controller-configmap", "configmap/artifact-repositories"];
  await kubectl.output("-n", namespace, "delete", ...objects, "--ignore-not-found");
}

/** Installs Argo without loading its images: they are replaced before any of its pods has to run. */
async function installArgo({ kubectl }: ClusterUnderTest, namespace: string, set: CrdSet): Promise<void> {
  await kubectl.try("create", "namespace", namespace);
  // Deleted first: a CRD that is applied over another one would have the fields of both.
  const crds = await foreignCrds(set);
  const names = crds.map(({ metadata }) => metadata.name ?? "");
  await kubectl.output("delete", "crd", ...names, "--ignore-not-found", "--timeout=120s");
  await kubectl.output("-n", namespace, "delete", SERVER, "--ignore-not-found");
  await kubectl.apply(namespace, ...crds);
  await awaitCrds(kubectl);
  const helm = () => helmProgram(clusterSettings());
  await kubectl.apply(namespace, ...await argoInstall({ kubectl: kubectl.command, helm }));
}

/** Replaces the images of an installed Argo with ours, as `tiphys takeover --apply` does. */
async function takeOver({ kubeconfig }: ClusterUnderTest, namespace: string): Promise<void> {
  const client = new KubeClient((await connectKubeconfig({ kubeconfig })).transport);
  try {
    const service = takeoverOf(client);
    const images = imagesOf("docker.io/tiphys", `v${VERSION}`);
    const programs = await service.programs(namespace);
    const canaries = await service.canaries(programs, {
      home: namespace,
      account: "default",
      executorImage: images.executor,
    });
    const options = { namespace, canaries, timeoutMillis: 180_000 };
    const world = { clock: systemClock, report: (line: string) => console.error(line) };
    const failure = await service.apply(planOf(programs, images), options, world);
    if (failure !== undefined) throw new Error(`The takeover was rolled back: ${failure.reason}`);
  } finally {
    client.close();
  }
}

/** Installs the server with its manifest, and waits until it is ready. */
export async function installServer(kubectl: Kubectl, namespace: string): Promise<void> {
  await kubectl.output("apply", "-f", `${ROOT}manifests/server.yaml`);
  await awaitServer(kubectl, namespace);
}

/** Waits until the server is ready. */
export async function awaitServer(kubectl: Kubectl, namespace: string): Promise<void> {
  const rollout = await kubectl.try("-n", namespace, "rollout", "status", SERVER, "--timeout=120s");
  if (rollout.code === 0) return;
  const log = await kubectl.try("-n", namespace, "logs", SERVER, "--tail=20");
  throw new Error(`The server did not become ready: ${rollout.stderr.trim()}\n${log.stdout}${log.stderr}`);
}

/** Applies the CRDs, and waits until the cluster serves them. */
export async function applyCrds(kubectl: Kubectl): Promise<void> {
  await kubectl.output("apply", "-f", `${ROOT}manifests/crds`);
  await awaitCrds(kubectl);
}

async function awaitCrds(kubectl: Kubectl): Promise<void> {
  // Not `kubectl wait`, which fails for a CRD that has no conditions yet.
  const established = "-o=jsonpath={.status.conditions[?(@.type=='Established')].status}";
  const args = ["get", "crd", "workflows.argoproj.io", established];
  await kubectl.awaitOutput("the CRDs are served", args, (status) => status.trim() === "True", 30);
}

/** Scales the controller to zero, and waits until its pod is deleted. */
export async function stopController(kubectl: Kubectl, namespace: string): Promise<void> {
  await kubectl.output("-n", namespace, "scale", DEPLOYMENT, "--replicas=0");
  await kubectl.output(
    "-n",
    namespace,
    "wait",
    "--for=delete",
    "pods",
    "-l",
    "app=workflow-controller",
    "--timeout=60s",
  );
}

/** Scales a stopped controller to one, and waits until it is ready. */
export async function startController(kubectl: Kubectl, namespace: string): Promise<void> {
  await kubectl.output("-n", namespace, "scale", DEPLOYMENT, "--replicas=1");
  await awaitController(kubectl, namespace);
}

/** Restarts the controller with the current settings and image, and waits until it is ready. */
export async function restartController(kubectl: Kubectl, namespace: string): Promise<void> {
  await kubectl.output("-n", namespace, "rollout", "restart", DEPLOYMENT);
  await awaitController(kubectl, namespace);
}

async function awaitController(kubectl: Kubectl, namespace: string): Promise<void> {
  const rollout = await kubectl.try("-n", namespace, "rollout", "status", DEPLOYMENT, "--timeout=120s");
  if (rollout.code === 0) return;
  const log = await kubectl.try("-n", namespace, "logs", DEPLOYMENT, "--tail=20");
  throw new Error(`The controller did not become ready: ${rollout.stderr.trim()}\n${log.stdout}${log.stderr}`);
}
