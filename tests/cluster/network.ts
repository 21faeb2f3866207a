/**
 * The cluster's network: a namespace, and a link through which this machine reaches it. It changes nothing else on the
 * machine.
 */
import { outputOf, runCommand } from "../../scripts/command.ts";
import { clusterAddresses, type ClusterSettings } from "./settings.ts";

/** The name of the network namespace of a cluster. */
export function networkNamespace(settings: ClusterSettings): string {
  return `cluster-${settings.name}`;
}

/**
 * The prefix of a command that runs in the cluster's network. The cluster's name server replaces the machine's, which
 * is unreachable from there: a program that resolves its own address would wait for it.
 */
export function insideNetwork(settings: ClusterSettings): string[] {
  const script = `mount --bind "$1" /etc/resolv.conf; shift; exec nsenter --net=/run/netns/${
    networkNamespace(settings)
  } "$@"`;
  return ["unshare", "--mount", "sh", "-c", script, "sh", `${settings.directory}/resolv.conf`];
}

/** Creates the namespace and the link. An existing namespace is reused. */
export async function createNetwork(settings: ClusterSettings): Promise<void> {
  const namespace = networkNamespace(settings);
  if ((await outputOf(["ip", "netns", "list"])).split(/\s/).includes(namespace)) return;
  const { host, node } = clusterAddresses(settings);
  if ((await outputOf(["ip", "-4", "-o", "addr"])).includes(` ${host}/`)) {
    throw new Error(`The address ${host} is in use; set TIPHYS_CLUSTER_LINK to another network, such as 10.213.251`);
  }
  const link = `tph-${settings.name}`;
  await outputOf(["ip", "netns", "add", namespace]);
  await outputOf(["ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", namespace]);
  await outputOf(["ip", "addr", "add", `${host}/30`, "dev", link]);
  await outputOf(["ip", "link", "set", link, "up"]);
  const inside = ["ip", "-netns", namespace];
  await outputOf([...inside, "addr", "add", `${node}/30`, "dev", "eth0"]);
  await outputOf([...inside, "link", "set", "lo", "up"]);
  await outputOf([...inside, "link", "set", "eth0", "up"]);
  await outputOf([...inside, "route", "add", "default", "via", host]);
  const forward = "echo 1 > /proc/sys/net/ipv4/ip_forward";
  await outputOf(["nsenter", `--net=/run/netns/${namespace}`, "sh", "-c", forward]);
}

/** Ends all processes in the namespace and removes it with its link, bridges and packet rules. */
export async function removeNetwork(settings: ClusterSettings): Promise<void> {
  const namespace = networkNamespace(settings);
  const pids = await runCommand(["ip", "netns", "pids", namespace]);
  if (pids.code !== 0) return;
  for (const pid of pids.stdout.trim().split(/\s+/).filter(Boolean)) {
    await runCommand(["kill", "-9", pid]);
  }
  await runCommand(["ip", "netns", "del", namespace]);
  await runCommand(["ip", "link", "del", `tph-${settings.name}`]);
  await forgetPodAddresses(namespace);
}

/**
 * Removes the addresses that the network plugins record for every pod, in one folder for all clusters of the machine.
 */
async function forgetPodAddresses(namespace: string): Promise<void> {
  const folder = "/var/lib/cni/results";
  const named = await runCommand(["find", folder, "-name", `${namespace}-*-eth0`, "-printf", "%f\n"]);
  for (const file of named.stdout.trim().split("\n").filter(Boolean)) {
    const sandbox = file.slice(namespace.length + 1, -"-eth0".length);
    await runCommand(["rm", "-f", `${folder}/${file}`, `${folder}/cni-loopback-${sandbox}-lo`]);
  }
}
