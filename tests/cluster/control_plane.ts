/**
 * etcd, the API server, the controllers and the scheduler, and the kubeconfig with which they and a developer connect.
 */
import { runCommand } from "../../scripts/command.ts";
import { awaitFact } from "../await_fact.ts";
import type { Daemon } from "./daemons.ts";
import { clusterAddresses, type ClusterSettings, NETWORK } from "./settings.ts";

/** Writes the administrator's kubeconfig with its certificates: a copy of the file works anywhere on this machine. */
export async function writeKubeconfig(settings: ClusterSettings): Promise<void> {
  const { api, kubeconfig } = clusterAddresses(settings);
  const base64 = async (file: string) => btoa(await Deno.readTextFile(`${settings.directory}/pki/${file}`));
  const name = `test-${settings.name}`;
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server: api, "certificate-authority-data": await base64("ca.crt") } }],
    users: [{
      name,
      user: { "client-certificate-data": await base64("admin.crt"), "client-key-data": await base64("admin.key") },
    }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  };
  await Deno.writeTextFile(kubeconfig, JSON.stringify(config, null, 2), { mode: 0o600 });
}

/** The API server and its store. The other programs wait until the API server responds. */
export function apiServerDaemons(settings: ClusterSettings, programs: string): Daemon[] {
  const { node } = clusterAddresses(settings);
  const etcd = `http://127.0.0.1:${NETWORK.etcdPort}`;
  const kubernetes = `${programs}/kubernetes`;
  return [
    {
      name: "etcd",
      command: [
        kubernetes,
        "etcd",
        "--data-dir=etcd",
        "--unsafe-no-fsync",
        "--log-level=warn",
        `--listen-client-urls=${etcd}`,
        `--advertise-client-urls=${etcd}`,
        `--listen-peer-urls=http://127.0.0.1:${NETWORK.etcdPort + 1}`,
      ],
    },
    {
      name: "apiserver",
      command: [
        kubernetes,
        "kube-apiserver",
        `--etcd-servers=${etcd}`,
        "--bind-address=0.0.0.0",
        `--secure-port=${NETWORK.apiPort}`,
        `--advertise-address=${node}`,
        `--service-cluster-ip-range=${NETWORK.services}`,
        "--client-ca-file=pki/ca.crt",
        "--tls-cert-file=pki/apiserver.crt",
        "--tls-private-key-file=pki/apiserver.key",
        "--service-account-key-file=pki/service-accounts.key",
        "--service-account-signing-key-file=pki/service-accounts.key",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--authorization-mode=RBAC",
        "--allow-privileged",
        "--kubelet-preferred-address-types=InternalIP",
        "--kubelet-client-certificate=pki/admin.crt",
        "--kubelet-client-key=pki/admin.key",
        "--kubelet-certificate-authority=pki/ca.crt",
      ],
    },
  ];
}

/** The programs that complete the control plane. */
export function controlPlaneDaemons(programs: string): Daemon[] {
  const kubernetes = `${programs}/kubernetes`;
  return [
    {
      name: "controller-manager",
      command: [
        kubernetes,
        "kube-controller-manager",
        "--kubeconfig=kubeconfig",
        "--service-account-private-key-file=pki/service-accounts.key",
        "--root-ca-file=pki/ca.crt",
        "--use-service-account-credentials",
        "--leader-elect=false",
      ],
    },
    { name: "scheduler", command: [kubernetes, "kube-scheduler", "--kubeconfig=kubeconfig", "--leader-elect=false"] },
  ];
}

/** Waits until the API server is ready. */
export async function awaitApiServer(settings: ClusterSettings, programs: string): Promise<void> {
  const { kubeconfig } = clusterAddresses(settings);
  const command = [`${programs}/kubectl`, "--kubeconfig", kubeconfig, "get", "--raw", "/readyz"];
  await awaitFact("the API server is ready", async () => (await runCommand(command)).code === 0, { seconds: 90 });
}
