/**
 * The settings of a cluster: where it lives on this machine and under which names. Everything is derived from its name,
 * and may be set by hand.
 */

/** The Kubernetes that the programs are, as `kubectl version` shows it; go.mod of `programs/` pins the modules. */
export const KUBERNETES_VERSION = "v1.36.3";

/** One cluster on this machine. Clusters of different names share nothing but the programs. */
export interface ClusterSettings {
  /** Names the network namespace, its link to this machine and the cgroup of its pods. */
  readonly name: string;
  /** State, certificates, logs and images; removed by `down`. */
  readonly directory: string;
  /** The folder that keeps built programs between clusters. */
  readonly cache: string;
  /** The first three numbers of the link between this machine and the cluster: `.1` is here, `.2` the node. */
  readonly link: string;
}

/** Addresses inside a cluster's own network namespace, hence the same for every cluster. */
export const NETWORK = {
  node: "node1",
  pods: "10.244.0.0/24",
  services: "10.96.0.0/16",
  kubernetesService: "10.96.0.1",
  apiPort: 6443,
  etcdPort: 2379,
  registryPort: 5000,
} as const;

/** The settings for a cluster's name, with TIPHYS_CLUSTER_{NAME,DIR,CACHE,LINK} of the environment in place of the defaults. */
export function clusterSettings(environment: (name: string) => string | undefined = Deno.env.get): ClusterSettings {
  const name = environment("TIPHYS_CLUSTER_NAME") ?? "tiphys";
  if (!/^[a-z][a-z0-9]{0,10}$/.test(name)) {
    throw new Error(`A cluster's name is up to 11 small letters and digits, not "${name}"`);
  }
  return {
    name,
    directory: environment("TIPHYS_CLUSTER_DIR") ??
      (name === "tiphys" ? "/var/tmp/tiphys-cluster" : `/var/tmp/tiphys-cluster-${name}`),
    cache: environment("TIPHYS_CLUSTER_CACHE") ?? `${environment("HOME") ?? "/root"}/.cache/tiphys`,
    link: environment("TIPHYS_CLUSTER_LINK") ?? `10.213.${linkNumber(name)}`,
  };
}

/** This machine's end of the link, the node's address, and what follows from them. */
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

/** A number from 1 to 250 for a name: two clusters get two links, unless they are unlucky and TIPHYS_CLUSTER_LINK is set by hand. */
function linkNumber(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 250;
  return sum + 1;
}
