import { buildImages } from "../../scripts/build.ts";
import { ensureDebianPackages } from "../cluster/mod.ts";
import type { ClusterUnderTest } from "./cluster_under_test.ts";
import type { Kubectl } from "./kubectl.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const DEPLOYMENT = "deployment/workflow-controller";

/** Builds our images, gets them onto the cluster, applies the install manifest as a user would, and waits for the controller. */
export async function install(cluster: ClusterUnderTest, namespace: string): Promise<void> {
  await ensureDebianPackages([{ name: "patchelf", file: "/usr/bin/patchelf" }]);
  for (const { reference, archive } of await buildImages(`${ROOT}build/e2e`)) await cluster.load(archive, reference);
  const { kubectl } = cluster;
  await kubectl.output("apply", "-f", `${ROOT}manifests/crds`, "-f", `${ROOT}manifests/install.yaml`);
  await kubectl.output("wait", "--for=condition=Established", "--timeout=30s", "crd", "workflows.argoproj.io");
  await restartController(kubectl, namespace);
}

/** Starts the controller anew, with the settings and the image that are there now, and waits until it says it is ready. */
export async function restartController(kubectl: Kubectl, namespace: string): Promise<void> {
  await kubectl.output("-n", namespace, "rollout", "restart", DEPLOYMENT);
  const rollout = await kubectl.try("-n", namespace, "rollout", "status", DEPLOYMENT, "--timeout=120s");
  if (rollout.code === 0) return;
  const said = await kubectl.try("-n", namespace, "logs", DEPLOYMENT, "--tail=20");
  throw new Error(`The controller did not get ready: ${rollout.stderr.trim()}\n${said.stdout}${said.stderr}`);
}
