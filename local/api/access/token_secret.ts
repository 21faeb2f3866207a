/** Secrets of type `kubernetes.io/service-account-token`, which are filled on creation as on a real cluster. */

import { type KubeObject, type Resource, SECRETS, SERVICE_ACCOUNTS } from "@tiphys/kube";
import { ACCOUNT_TOKEN } from "./caller.ts";
import type { ApiContext } from "../context.ts";
import { collectionName } from "../store.ts";
import type { Tokens } from "./tokens.ts";

const ACCOUNT = "kubernetes.io/service-account.name";

/** Such a token has no expiry; it is valid as long as its Secret exists. */
const NEVER = new Date("9999-12-31T00:00:00Z");

/** The dependencies to fill such a Secret: the issuer of tokens, the accounts, and the certificate. */
export interface TokenSource {
  readonly context: ApiContext;
  readonly tokens: Tokens;
  readonly caCert: () => string | undefined;
}

/** Adds the token to such a Secret. Other objects are returned unchanged. */
export async function withAccountToken(
  { context, tokens, caCert }: TokenSource,
  resource: Resource,
  namespace: string | undefined,
  object: KubeObject,
): Promise<KubeObject> {
  const serviceAccount = object.metadata.annotations?.[ACCOUNT];
  const isWanted = resource.group === SECRETS.group && resource.plural === SECRETS.plural &&
    object.type === ACCOUNT_TOKEN;
  if (!isWanted || !serviceAccount || namespace === undefined) return object;
  const account = context.store.get(collectionName(SERVICE_ACCOUNTS), `${namespace}/${serviceAccount}`);
  const accountUid = account?.object.metadata.uid;
  const token = await tokens.issue({ namespace, serviceAccount, accountUid, isOfSecret: true }, NEVER);
  const content = { "ca.crt": caCert() ?? "", namespace, token };
  const encoded = Object.entries(content).map(([key, text]) => [key, new TextEncoder().encode(text).toBase64()]);
  return { ...object, data: { ...object.data as object, ...Object.fromEntries(encoded) } };
}

/** Reports whether a Secret of the namespace contains this token. */
export function isStoredInSecret({ store }: ApiContext, namespace: string, token: string): boolean {
  const encoded = new TextEncoder().encode(token).toBase64();
  return store.list(collectionName(SECRETS), namespace).some(({ object }) =>
    object.type === ACCOUNT_TOKEN && (object.data as Record<string, string> | undefined)?.token === encoded
  );
}
