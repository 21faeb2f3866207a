/**
 * The settings of a cluster: its folders and names on this machine. All are derived from its name, and can be set
 * explicitly.
 */

/** The Kubernetes version of the programs, as `kubectl version` shows it; go.mod of `programs/` pins the modules. */
export const KUBERNETES_VERSION = "v1.36.3";

/** One cluster on this machine. Clusters with different names share only the programs. */
export interface ClusterSettings {
  /** The name of the network namespace, of its link to this machine and of the cgroup of its pods. */
  readonly name: string;
  /** The folder of state, certificates, logs and images; removed by `down`. */
  readonly directory: string;
  /** The folder of the built programs, which clusters share. */
  readonly cache: string;
  /** The first three numbers of the addresses on the link between this machine (`.1`) and the node (`.2`). */
  readonly link: string;
}

/** Addresses inside a cluster's network namespace, which are the same for every cluster. */
export const NETWORK = {
  node: "node1",
  pods: "10.244.0.0/24",
  services: "10.96.0.0/16",
  kubernetesService: "10.96.0.1",
  apiPort: 6443,
  etcdPort: 2379,
  registryPort: 5000,
} as const;

/** The settings for a cluster's name. TIPHYS_CLUSTER_{NAME,DIR,CACHE,LINK} of the environment override the defaults. */
export function clusterSettings(environment: (name: string) => string | undefined = Deno.env.get): ClusterSettings {
  const name = environment("TIPHYS_CLUSTER_NAME") ?? "tiphys";
  if (!/^[a-z][a-z0-9]{0,10}$/.test(name)) {
    throw new Error(`A cluster's name is up to 11 lowercase letters and digits, not "${name}"`);
  }
  return {
    name,
    directory: environment("TIPHYS_CLUSTER_DIR") ??
      (name === "tiphys" ? "/var/tmp/tiphys-cluster" : `/var/tmp/tiphys-cluster-${name}`),
    cache: environment("TIPHYS_CLUSTER_CACHE") ?? `${environment("HOME") ?? "/root"}/.cache/tiphys`,
    link: environment("TIPHYS_CLUSTER_LINK") ?? `10.213.${linkNumber(name)}`,
  };
}

/** This machine's end of the link, the node's address, and the addresses that follow from them. */
export function clusterAddresses(settings: ClusterSettings): {
  readonly host: string;
  readonly node: string;
  readonly api: string;
  readonly registry: string;
  readonly kubeconfig: string;
} {
  const node = `${settings.link}.2`;
  return {
    host: `${settings.link}.1`,
    node,
    api: `https://${node}:${NETWORK.apiPort}`,
    registry: `${node}:${NETWORK.registryPort}`,
    kubeconfig: `${settings.directory}/kubeconfig`,
  };
}

/**
 * A number from 1 to 250 for a name, so that two clusters have different links. On a collision, set
 * TIPHYS_CLUSTER_LINK.
 */
function linkNumber(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 250;
  return sum + 1;
}
