/** Reads the objects that pods refer to: ConfigMaps, Secrets and tokens. */

import { fieldsOf, textIn } from "@tiphys/base/fields_of";
import {
  classifyError,
  CONFIGMAPS,
  type KubeClient,
  type KubeObject,
  type Resource,
  SECRETS,
  SERVICE_ACCOUNTS,
} from "@tiphys/kube";
import { binaryDataOf, dataOf } from "@tiphys/kube/object_data";

/** Named values as bytes. */
export type Content = ReadonlyMap<string, Uint8Array>;

/** The sources of a pod's volumes and variables. Results are undefined if the object does not exist. */
export interface Lookup {
  configMap(namespace: string, name: string): Promise<Content | undefined>;
  secret(namespace: string, name: string): Promise<Content | undefined>;
  token(request: TokenRequest): Promise<string>;
}

/** The request of a token for a pod's service account. */
export interface TokenRequest {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly audience?: string | undefined;
  readonly expirationSeconds?: number | undefined;
  readonly pod: { readonly name: string; readonly uid: string };
}

/** The validity of tokens: a pod may run for days, and its token is not refreshed. */
const TOKEN_SECONDS = 30 * 24 * 3600;

/** The ConfigMap in each namespace with the certificate authority of the API server. */
const ROOT_AUTHORITY = "kube-root-ca.crt";

/**
 * Reads through the API. `caCert` (PEM) is the certificate authority of the API server, if it has one. Pods find it in
 * the ConfigMap `kube-root-ca.crt` of their namespace, even if that does not exist.
 */
export function apiLookup(client: KubeClient, caCert?: string): Lookup {
  async function read(resource: Resource, namespace: string, name: string): Promise<KubeObject | undefined> {
    try {
      return await client.get(resource, namespace, name);
    } catch (error) {
      if (classifyError(error) === "notFound") return undefined;
      throw error;
    }
  }
  return {
    async configMap(namespace, name) {
      const found = await read(CONFIGMAPS, namespace, name);
      if (!found) {
        if (name !== ROOT_AUTHORITY || caCert === undefined) return undefined;
        return new Map([["ca.crt", new TextEncoder().encode(caCert)]]);
      }
      const text = Object.entries(dataOf(found)).map(([key, value]) => [key, new TextEncoder().encode(value)] as const);
      return new Map([...text, ...decodeData(binaryDataOf(found))]);
    },
    async secret(namespace, name) {
      const found = await read(SECRETS, namespace, name);
      return found && new Map(decodeData(dataOf(found)));
    },
    async token({ namespace, serviceAccount, audience, expirationSeconds = TOKEN_SECONDS, pod }) {
      const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${
        encodeURIComponent(serviceAccount)
      }/token`;
      const body = {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: {
          ...(audience && { audiences: [audience] }),
          expirationSeconds: Math.max(expirationSeconds, TOKEN_SECONDS),
          boundObjectRef: { apiVersion: "v1", kind: "Pod", ...pod },
        },
      };
      const ask = async () => tokenOf(await client.request("POST", path, { body }));
      try {
        return await ask();
      } catch (error) {
        if (classifyError(error) !== "notFound") throw error;
        await ensureServiceAccount(client, namespace, serviceAccount);
        return await ask();
      }
    },
  };
}

/** The token in the response to a TokenRequest. */
function tokenOf(answer: unknown): string {
  const token = textIn(fieldsOf(fieldsOf(answer).status), "token");
  if (token === undefined) throw new Error("The response to the request for a service account token contains no token");
  return token;
}

/** Creates a missing service account. Without roles, accounts have no effect, so workflows may name any. */
async function ensureServiceAccount(client: KubeClient, namespace: string, name: string): Promise<void> {
  try {
    await client.create(SERVICE_ACCOUNTS, namespace, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } });
  } catch (error) {
    if (classifyError(error) !== "alreadyExists") throw error;
  }
}

function decodeData(data: Readonly<Record<string, string>>): [string, Uint8Array][] {
  return Object.entries(data).map(([key, value]) => [key, Uint8Array.fromBase64(value)]);
}
