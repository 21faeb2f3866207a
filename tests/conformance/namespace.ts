/** The namespace that the suite expects: roles, secrets, settings of the controller, and services for pods. */
import { parseYaml } from "@tiphys/model/yaml";
import { outputOf } from "../../scripts/command.ts";
import { withAddress } from "./placed_cases.ts";
import type { ClusterUnderTest, HostNetwork, Kubectl } from "../install/mod.ts";

/** Names and ports of the suite's services; pods use these names. */
export const SERVICES = [
  { name: "minio", port: 9000 },
  { name: "httpbin", port: 9100 },
  { name: "git-server", port: 8080 },
] as const;

/**
 * Applies the suite's own objects and adds the client certificate for one of its secrets. In them, the suite's services
 * have addresses because names cannot be resolved here; without reachable services, no repository is configured.
 */
export async function applySuiteObjects(
  kubectl: Kubectl,
  { namespace, suite, address }: {
    readonly namespace: string;
    readonly suite: string;
    readonly address: string | undefined;
  },
): Promise<void> {
  const objects = await Deno.readTextFile(`${suite}/setup/cluster.yaml`);
  const named = address === undefined ? objects : withAddress(objects, address);
  await kubectl.apply(namespace, ...parseYaml(named).map(({ value }) => value).filter(Boolean));
  if (address === undefined) await kubectl.output("-n", namespace, "delete", "configmap", "artifact-repositories");
  await kubectl.output("-n", namespace, "apply", "-f", `${suite}/setup/controller-configmap.yaml`);
  const data = await clientCertificate();
  await kubectl.output("-n", namespace, "patch", "secret", "my-httpbin-cred", "-p", JSON.stringify({ data }));
}

async function clientCertificate(): Promise<Record<string, string>> {
  const folder = await Deno.makeTempDir({ prefix: "certificate-" });
  try {
    const files = ["-keyout", `${folder}/key.pem`, "-out", `${folder}/cert.pem`];
    await outputOf([
      "openssl",
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "9",
      "-subj",
      "/CN=x",
      ...files,
    ]);
    const encoded = async (file: string) => btoa(await Deno.readTextFile(`${folder}/${file}`));
    return { "cert.pem": await encoded("cert.pem"), "key.pem": await encoded("key.pem") };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Runs the suite's services outside of the cluster and adds Services for them; disposal stops them. Undefined when pods
 * cannot reach them.
 */
export async function startServices(
  cluster: ClusterUnderTest,
  options: { readonly namespace: string; readonly suite: string },
): Promise<AsyncDisposable | undefined> {
  const { hostNetwork, kubectl } = cluster;
  if (hostNetwork === undefined) return undefined;
  const services = await startServicesAt(hostNetwork, { kubectl, suite: options.suite });
  await kubectl.apply(
    options.namespace,
    ...SERVICES.flatMap((service) => serviceObjects(service, hostNetwork.address)),
  );
  return services;
}

/** Runs the suite's services at an address; disposal stops them. */
export async function startServicesAt(
  hostNetwork: HostNetwork,
  options: { readonly kubectl: Kubectl; readonly suite: string },
): Promise<AsyncDisposable> {
  const volumes = await Deno.makeTempDir({ prefix: "volumes-" });
  const program = ["python3", `${options.suite}/setup/services.py`, "--listen", hostNetwork.address];
  const provisioner = ["--provision", options.kubectl.command.join(" "), "--volumes", volumes];
  const [first = "", ...rest] = [...hostNetwork.command, ...program, ...provisioner];
  const child = new Deno.Command(first, { args: rest, stdin: "null", stdout: "piped", stderr: "inherit" }).spawn();
  const output = child.stdout.getReader();
  if ((await output.read()).done) throw new Error(`The suite's services ended at once: ${program.join(" ")}`);
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await output.cancel();
      await Deno.remove(volumes, { recursive: true });
    },
  };
}

/** A Service without a selector whose only endpoint is outside of the cluster. */
function serviceObjects({ name, port }: { name: string; port: number }, address: string): object[] {
  return [
    { apiVersion: "v1", kind: "Service", metadata: { name }, spec: { clusterIP: "None", ports: [{ port }] } },
    {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name, labels: { "kubernetes.io/service-name": name } },
      addressType: "IPv4",
      endpoints: [{ addresses: [address] }],
      ports: [{ port }],
    },
  ];
}
