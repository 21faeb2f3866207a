/** The node: a registry that replaces all others, containerd, kubelet, kube-proxy and the cluster's DNS. */
import { outputOf, runCommand } from "../../scripts/command.ts";
import { awaitFact } from "../await_fact.ts";
import { packImageLayout, writeImageLayout } from "../../scripts/oci_layout.ts";
import type { Daemon } from "./daemons.ts";
import { clusterAddresses, type ClusterSettings, NETWORK } from "./settings.ts";

const PAUSE_IMAGE = "localhost/pause:1";

/** Writes the configuration of all programs of the node. */
export async function writeNodeConfiguration(settings: ClusterSettings): Promise<void> {
  const write = (file: string, text: string) => Deno.writeTextFile(`${settings.directory}/${file}`, text);
  await write("registry.yaml", JSON.stringify(registryConfiguration(settings)));
  await write("registries/_default/hosts.toml", anyRegistry(settings));
  await write("containerd.toml", containerdConfiguration(settings));
  await write("cni/10-pods.conflist", JSON.stringify(podNetwork(settings)));
  await write("kubelet.yaml", JSON.stringify(kubeletConfiguration(settings)));
  await write("resolv.conf", `nameserver ${clusterAddresses(settings).node}\n`);
  await write("Corefile", dnsConfiguration(settings));
}

/** The programs that must run before the kubelet. */
export function containerDaemons(settings: ClusterSettings, programs: string): Daemon[] {
  const searchPath = [programs, "/usr/sbin", "/usr/bin", "/sbin", "/bin"].join(":");
  return [
    { name: "registry", command: ["docker-registry", "serve", "registry.yaml"] },
    {
      name: "containerd",
      command: [`${programs}/containerd`, "-c", `${settings.directory}/containerd.toml`],
      env: { PATH: searchPath },
    },
  ];
}

/** The programs that make the machine a node. */
export function nodeDaemons(settings: ClusterSettings, programs: string): Daemon[] {
  const kubernetes = `${programs}/kubernetes`;
  const { node } = clusterAddresses(settings);
  return [
    {
      name: "kubelet",
      command: [
        kubernetes,
        "kubelet",
        "--config=kubelet.yaml",
        "--kubeconfig=kubeconfig",
        `--hostname-override=${NETWORK.node}`,
        `--node-ip=${node}`,
        `--root-dir=${settings.directory}/kubelet`,
      ],
    },
    {
      name: "kube-proxy",
      command: [
        kubernetes,
        "kube-proxy",
        "--kubeconfig=kubeconfig",
        `--hostname-override=${NETWORK.node}`,
        "--proxy-mode=nftables",
        `--cluster-cidr=${NETWORK.pods}`,
        "--conntrack-max-per-core=0",
        "--conntrack-tcp-timeout-established=0s",
        "--conntrack-tcp-timeout-close-wait=0s",
      ],
    },
    { name: "coredns", command: [`${programs}/coredns`, "-conf", "Corefile"] },
  ];
}

/** Imports the image that holds a pod's namespaces into containerd; no registry has it. */
export async function importPauseImage(settings: ClusterSettings, programs: string): Promise<void> {
  const ctr = [`${programs}/ctr`, "-a", `${settings.directory}/containerd.sock`, "-n", "k8s.io"];
  await awaitFact("containerd answers", async () => (await runCommand([...ctr, "version"])).code === 0, {
    seconds: 60,
  });
  const work = await Deno.makeTempDir({ dir: settings.directory, prefix: "pause-" });
  await Deno.mkdir(`${work}/root`);
  await Deno.copyFile(`${programs}/pause`, `${work}/root/pause`);
  await writeImageLayout(`${work}/image`, {
    roots: [`${work}/root`],
    reference: PAUSE_IMAGE,
    entrypoint: ["/pause"],
  });
  const archive = `${work}/image.tar`;
  await packImageLayout(`${work}/image`, archive);
  await outputOf([...ctr, "images", "import", archive]);
}

/**
 * Creates the parent cgroup of this cluster's pods and returns its path; undefined under cgroup v2, where the default
 * is used.
 */
export async function createControlGroup(settings: ClusterSettings): Promise<string | undefined> {
  const controllers = controlGroupHierarchies();
  for (const controller of controllers) {
    await Deno.mkdir(`/sys/fs/cgroup/${controller}/cluster-${settings.name}`, { recursive: true });
  }
  return controllers.length > 0 ? `/cluster-${settings.name}` : undefined;
}

/** Removes the cgroups of a cluster whose pods have ended, the innermost first. */
export async function removeControlGroup(settings: ClusterSettings): Promise<void> {
  for (const controller of controlGroupHierarchies()) {
    const folder = `/sys/fs/cgroup/${controller}/cluster-${settings.name}`;
    await runCommand(["find", folder, "-depth", "-type", "d", "-exec", "rmdir", "{}", ";"]);
  }
}

/** The cgroup v1 hierarchies of this machine; empty under cgroup v2. */
function controlGroupHierarchies(): string[] {
  return [...Deno.readDirSync("/sys/fs/cgroup")]
    .filter((entry) => entry.isDirectory && isVersionOne(entry.name))
    .map((entry) => entry.name);
}

function isVersionOne(controller: string): boolean {
  return Deno.readTextFileSync("/proc/mounts").includes(` /sys/fs/cgroup/${controller} cgroup `);
}

function registryConfiguration(settings: ClusterSettings) {
  return {
    version: 0.1,
    log: { level: "warn" },
    storage: { filesystem: { rootdirectory: `${settings.directory}/registry` }, delete: { enabled: true } },
    http: { addr: clusterAddresses(settings).registry },
  };
}

/**
 * Lets containerd pull every image from our registry, so that pods name images as workflows do: there is no other
 * registry.
 */
function anyRegistry(settings: ClusterSettings): string {
  const url = `http://${clusterAddresses(settings).registry}`;
  return `server = "${url}"\n[host."${url}"]\n  capabilities = ["pull", "resolve"]\n`;
}

/**
 * `restrict_oom_score_adj`: without CAP_SYS_RESOURCE, runc may not lower a container's score, and no pod would start.
 */
function containerdConfiguration(settings: ClusterSettings): string {
  const { directory } = settings;
  return `version = 3
root = "${directory}/containerd/root"
state = "${directory}/containerd/state"
[grpc]
  address = "${directory}/containerd.sock"
[plugins."io.containerd.cri.v1.images".pinned_images]
  sandbox = "${PAUSE_IMAGE}"
[plugins."io.containerd.cri.v1.images".registry]
  config_path = "${directory}/registries"
[plugins."io.containerd.cri.v1.runtime"]
  restrict_oom_score_adj = true
  netns_mounts_under_state_dir = true
[plugins."io.containerd.cri.v1.runtime".cni]
  bin_dirs = ["/usr/lib/cni"]
  conf_dir = "${directory}/cni"
`;
}

/**
 * Point-to-point links instead of a bridge: then all traffic between pods is routed, and Services work without
 * br_netfilter.
 */
function podNetwork(settings: ClusterSettings) {
  return {
    cniVersion: "1.0.0",
    name: `cluster-${settings.name}`,
    plugins: [
      {
        type: "ptp",
        ipMasq: false,
        ipam: {
          type: "host-local",
          dataDir: `${settings.directory}/cni/addresses`,
          ranges: [[{ subnet: NETWORK.pods }]],
          routes: [{ dst: "0.0.0.0/0" }],
        },
      },
      { type: "portmap", capabilities: { portMappings: true } },
    ],
  };
}

/**
 * `failCgroupV1`: by default, the kubelet refuses cgroup v1. `NeverVerify`: otherwise, an image with several names that
 * was pulled under one of them would be refused under the others with the pull policy Never.
 */
function kubeletConfiguration(settings: ClusterSettings) {
  const { directory } = settings;
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    failCgroupV1: false,
    failSwapOn: false,
    cgroupDriver: "cgroupfs",
    ...(controlGroupHierarchies().length > 0 && { cgroupRoot: `/cluster-${settings.name}` }),
    containerRuntimeEndpoint: `unix://${directory}/containerd.sock`,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: `${directory}/pki/ca.crt` },
    },
    authorization: { mode: "Webhook" },
    tlsCertFile: `${directory}/pki/kubelet.crt`,
    tlsPrivateKeyFile: `${directory}/pki/kubelet.key`,
    podLogsDir: `${directory}/pod-logs`,
    volumePluginDir: `${directory}/volume-plugins`,
    resolvConf: `${directory}/resolv.conf`,
    clusterDomain: "cluster.local",
    clusterDNS: [clusterAddresses(settings).node],
    // The kubelet evicts a pod for the size of a volume when it measures it, by default every minute.
    volumeStatsAggPeriod: "5s",
    evictionHard: { "memory.available": "100Mi", "nodefs.available": "1%", "imagefs.available": "1%" },
    imageGCHighThresholdPercent: 100,
    imageMinimumGCAge: "24h",
    imagePullCredentialsVerificationPolicy: "NeverVerify",
    maxPods: 250,
    serializeImagePulls: false,
    registryPullQPS: 0,
  };
}

function dnsConfiguration(settings: ClusterSettings): string {
  const { node, kubeconfig } = clusterAddresses(settings);
  return `.:53 {
  bind ${node}
  errors
  kubernetes cluster.local {
    kubeconfig ${kubeconfig}
  }
  cache 2
}
`;
}
