/** A cluster with Kerberos authentication, according to the fields of a place. Loaded only if these are set. */
import type { DriverEnvironment, SecretField } from "@tiphys/model/artifact";
import { PROTECTIONS } from "./block_sasl.ts";
import { type Krb5Conf, type Principal, readKrb5Conf, readPrincipal, Tickets } from "./kerberos/mod.ts";
import { fieldError, type Node } from "./node.ts";
import type { Cluster } from "./rpc_hdfs.ts";
import { kerberosLogin } from "./rpc_kerberos.ts";

/** The Kerberos fields, as in the CRDs. */
export interface KerberosSettings {
  readonly dataTransferProtection?: string;
  readonly krbCCacheSecret?: SecretField;
  readonly krbKeytabSecret?: SecretField;
  readonly krbUsername?: string;
  readonly krbRealm?: string;
  readonly krbConfigConfigMap?: { readonly name?: string; readonly key: string };
  readonly krbServicePrincipalName?: string;
}

/** The placeholder for the host of each name node in the name of a service. */
const ANY_HOST = "_HOST";

/**
 * Reads the secrets in the fields. Requests no tickets yet.
 * @throws {StoreError} `final`, with the missing or invalid field.
 */
export async function kerberosCluster(
  nodes: readonly Node[],
  settings: KerberosSettings,
  environment: DriverEnvironment,
): Promise<Cluster> {
  const { krbConfigConfigMap, krbServicePrincipalName, dataTransferProtection } = settings;
  if (!krbConfigConfigMap || !krbServicePrincipalName) {
    throw fieldError("krbConfigConfigMap and krbServicePrincipalName are required with Kerberos");
  }
  const least = dataTransferProtection ? PROTECTIONS.get(dataTransferProtection.toLowerCase()) : undefined;
  if (dataTransferProtection && !least) {
    throw fieldError(
      `dataTransferProtection is ${JSON.stringify(dataTransferProtection)}, and none of ${
        [...PROTECTIONS.keys()].join(", ")
      }`,
    );
  }
  const conf = readKrb5Conf(await environment.configMap(krbConfigConfigMap.name ?? "", krbConfigConfigMap.key));
  const tickets = await ticketsOf(settings, conf, environment);
  const serviceAt = (hostname: string) =>
    serviceOf(krbServicePrincipalName, hostname, { conf, client: tickets.client });
  const user = kerberosLogin({ tickets, serviceAt, now: environment.now });
  return { nodes, user, reach: environment.reach, ...(least ? { leastProtection: least } : {}) };
}

async function ticketsOf(
  { krbCCacheSecret, krbKeytabSecret, krbUsername, krbRealm }: KerberosSettings,
  conf: Krb5Conf,
  { secretBytes, now, reach }: DriverEnvironment,
): Promise<Tickets> {
  if (krbKeytabSecret) {
    if (!krbUsername || !krbRealm) throw fieldError("krbUsername and krbRealm are required with krbKeytabSecret");
    const keytab = await secretBytes(krbKeytabSecret.name ?? "", krbKeytabSecret.key);
    return Tickets.ofKeytab({ conf, now, reach }, keytab, { realm: krbRealm, parts: readPrincipal(krbUsername).parts });
  }
  const { name = "", key = "" } = krbCCacheSecret ?? {};
  return Tickets.ofCache({ conf, now, reach }, await secretBytes(name, key));
}

/**
 * Returns the service of a name node. Its host is in lower case, as in Hadoop. Its realm is the given one, that of its
 * host, or the default.
 */
function serviceOf(
  name: string,
  hostname: string,
  { conf, client }: { readonly conf: Krb5Conf; readonly client: Principal },
): Principal {
  const { parts: [service = "", host, ...rest], realm } = readPrincipal(name);
  const own = host === ANY_HOST ? hostname.toLowerCase() : host;
  const parts = own === undefined ? [service] : [service, own, ...rest];
  return { realm: realm ?? conf.realmOf(own ?? "") ?? conf.defaultRealm ?? client.realm, parts };
}
