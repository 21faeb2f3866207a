/**
 * A real one-node Kubernetes cluster on this machine, built from Go modules: for end-to-end tests without another
 * cluster.
 *
 * - `settings.ts`: names, folders and addresses;
 * - `debian.ts`, `programs.ts`: the requirements, from Debian packages and Go modules (`programs/` is our Go module);
 * - `network.ts`, `certificates.ts`, `control_plane.ts`, `node.ts`: the parts, in the order of their start;
 * - `daemons.ts`: starts and stops the programs;
 * - `main.ts`: `deno task cluster build|up|down|status`.
 *
 * The whole cluster is in a dedicated network namespace, cgroup and folder: `down` removes it completely, and several
 * clusters can run at the same time under different names.
 */
import { outputOf, runCommand } from "../../scripts/command.ts";
import { awaitFact } from "../await_fact.ts";
import { createCertificates } from "./certificates.ts";
import { apiServerDaemons, awaitApiServer, controlPlaneDaemons, writeKubeconfig } from "./control_plane.ts";
import { type Daemon, isRunning, startDaemon, stopDaemon } from "./daemons.ts";
import { ensureDebianPackages } from "./debian.ts";
import { createNetwork, networkNamespace, removeNetwork } from "./network.ts";
import {
  containerDaemons,
  createControlGroup,
  importPauseImage,
  nodeDaemons,
  removeControlGroup,
  writeNodeConfiguration,
} from "./node.ts";
import { clusterPrograms } from "./programs.ts";
import { clusterAddresses, type ClusterSettings, NETWORK } from "./settings.ts";

export { builtKubectl, clusterPrograms, helmProgram } from "./programs.ts";
export { ensureDebianPackages } from "./debian.ts";
export { insideNetwork, networkNamespace } from "./network.ts";
export { clusterAddresses, type ClusterSettings, clusterSettings } from "./settings.ts";

/**
 * The daemons in the order in which they stop: none outlives a daemon that it depends on, or it would log errors and
 * wait.
 */
const STOP_ORDER = [
  "kubelet",
  "kube-proxy",
  "coredns",
  "scheduler",
  "controller-manager",
  "apiserver",
  "etcd",
  "registry",
] as const;

const FOLDERS = [
  "pki",
  "log",
  "run",
  "cni",
  "kubelet",
  "containerd",
  "registries/_default",
  "registry",
  "pod-logs",
  "volume-plugins",
];

/** Whether the cluster of these settings runs. */
export function isClusterUp(settings: ClusterSettings): boolean {
  return STOP_ORDER.every((name) => isRunning(settings.directory, name));
}

/** Starts the cluster and waits until its node is ready; a no-op when it runs. Requires root. */
export async function startCluster(settings: ClusterSettings): Promise<void> {
  if (isClusterUp(settings)) return;
  if (Deno.uid() !== 0) throw new Error("A cluster requires root: it creates network namespaces, mounts and cgroups");
  await ensureDebianPackages();
  const programs = await clusterPrograms(settings);
  await stopCluster(settings);
  for (const folder of FOLDERS) await Deno.mkdir(`${settings.directory}/${folder}`, { recursive: true });
  await createNetwork(settings);
  await createCertificates(settings);
  await writeKubeconfig(settings);
  await writeNodeConfiguration(settings);
  await createControlGroup(settings);
  await startAll(settings, [...apiServerDaemons(settings, programs), ...containerDaemons(settings, programs)]);
  await Promise.all([awaitApiServer(settings, programs), importPauseImage(settings, programs)]);
  await startAll(settings, [...controlPlaneDaemons(programs), ...nodeDaemons(settings, programs)]);
  await awaitReady(settings, programs);
}

/**
 * Starts only an API server and its store, for tests that need no node: pods stay Pending there. Stops and removes an
 * earlier cluster of these settings first. Requires root.
 */
export async function startApiServer(settings: ClusterSettings): Promise<void> {
  const programs = await clusterPrograms(settings);
  await stopCluster(settings);
  for (const folder of ["pki", "log", "run"]) await Deno.mkdir(`${settings.directory}/${folder}`, { recursive: true });
  await createNetwork(settings);
  await createCertificates(settings);
  await writeKubeconfig(settings);
  await startAll(settings, apiServerDaemons(settings, programs));
  await awaitApiServer(settings, programs);
}

/** Stops the cluster and its pods, and removes everything that it created on this machine except the built programs. */
export async function stopCluster(settings: ClusterSettings): Promise<void> {
  for (const name of STOP_ORDER) await stopDaemon(settings.directory, name);
  await endPods(settings);
  await stopDaemon(settings.directory, "containerd");
  await removeNetwork(settings);
  await unmountBelow(settings.directory);
  await removeControlGroup(settings);
  await runCommand(["rm", "-rf", settings.directory]);
}

async function startAll(settings: ClusterSettings, daemons: readonly Daemon[]): Promise<void> {
  for (const daemon of daemons) await startDaemon(settings.directory, networkNamespace(settings), daemon);
}

async function awaitReady(settings: ClusterSettings, programs: string): Promise<void> {
  const kubectl = [`${programs}/kubectl`, "--kubeconfig", clusterAddresses(settings).kubeconfig];
  const condition = "{.status.conditions[?(@.type=='Ready')].status}";
  const ready = async () =>
    (await outputOf([...kubectl, "get", "node", NETWORK.node, "-o", `jsonpath=${condition}`])) === "True";
  await awaitFact(`node ${NETWORK.node} is ready; see ${settings.directory}/log`, ready, { seconds: 120 });
  const account = [...kubectl, "get", "serviceaccount", "default"];
  await awaitFact("pods may be created", async () => (await runCommand(account)).code === 0, { seconds: 30 });
}

/** Containers continue without kubelet and containerd, so they are stopped by name while containerd still responds. */
async function endPods(settings: ClusterSettings): Promise<void> {
  const socket = `${settings.directory}/containerd.sock`;
  if (!isRunning(settings.directory, "containerd")) return;
  const ctr = [`${await clusterPrograms(settings)}/ctr`, "-a", socket, "-n", "k8s.io", "tasks"];
  const tasks = (await runCommand([...ctr, "ls", "-q"])).stdout.trim().split("\n").filter(Boolean);
  for (const task of tasks) await runCommand([...ctr, "rm", "-f", task]);
}

/** Unmounts everything below a folder, the innermost mounts first. */
async function unmountBelow(folder: string): Promise<void> {
  const mounts = (await Deno.readTextFile("/proc/mounts")).split("\n").map((line) => line.split(" ")[1] ?? "");
  const inside = mounts.filter((mount) => mount.startsWith(`${folder}/`)).sort().reverse();
  for (const mount of inside) await runCommand(["umount", "-l", mount]);
}
