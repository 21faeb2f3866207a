import { outputOf } from "../../scripts/command.ts";
import { clusterAddresses, type ClusterSettings, NETWORK } from "./settings.ts";

/**
 * Creates the cluster's certificate authority, and the keys and certificates that it signs, in `pki/`. Every cluster
 * has new ones.
 */
export async function createCertificates(settings: ClusterSettings): Promise<void> {
  const { node } = clusterAddresses(settings);
  const pki = `${settings.directory}/pki`;
  await createKey(`${pki}/ca.key`);
  await outputOf([
    "openssl",
    "req",
    "-x509",
    "-new",
    "-key",
    `${pki}/ca.key`,
    "-subj",
    "/CN=test-cluster",
    "-days",
    "30",
    "-out",
    `${pki}/ca.crt`,
  ]);
  await outputOf(["openssl", "genrsa", "-out", `${pki}/service-accounts.key`, "2048"]);
  const names = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"].map((name) =>
    `DNS:${name}`
  );
  const addresses = ["127.0.0.1", NETWORK.kubernetesService, node].map((address) => `IP:${address}`);
  await createCertificate(pki, {
    name: "apiserver",
    subject: "/CN=kube-apiserver",
    extensions: [`subjectAltName=${[...addresses, ...names].join(",")}`, "extendedKeyUsage=serverAuth"],
  });
  await createCertificate(pki, {
    name: "kubelet",
    subject: `/CN=${NETWORK.node}`,
    extensions: [`subjectAltName=IP:${node},DNS:${NETWORK.node}`, "extendedKeyUsage=serverAuth"],
  });
  await createCertificate(pki, {
    name: "admin",
    subject: "/O=system:masters/CN=admin",
    extensions: ["extendedKeyUsage=clientAuth"],
  });
}

async function createKey(file: string): Promise<void> {
  await outputOf(["openssl", "ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", file]);
}

async function createCertificate(
  pki: string,
  certificate: { readonly name: string; readonly subject: string; readonly extensions: readonly string[] },
): Promise<void> {
  const base = `${pki}/${certificate.name}`;
  await createKey(`${base}.key`);
  await Deno.writeTextFile(`${base}.ext`, certificate.extensions.join("\n"));
  await outputOf([
    "openssl",
    "req",
    "-new",
    "-key",
    `${base}.key`,
    "-subj",
    certificate.subject,
    "-out",
    `${base}.csr`,
  ]);
  const signing = ["-CA", `${pki}/ca.crt`, "-CAkey", `${pki}/ca.key`, "-CAcreateserial", "-days", "30"];
  await outputOf([
    "openssl",
    "x509",
    "-req",
    "-in",
    `${base}.csr`,
    ...signing,
    "-extfile",
    `${base}.ext`,
    "-out",
    `${base}.crt`,
  ]);
}
