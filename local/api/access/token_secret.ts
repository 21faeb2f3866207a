/** Secrets of type `kubernetes.io/service-account-token`: one that is created gets filled, as on a real cluster. */

import { type KubeObject, type Resource, SECRETS, SERVICE_ACCOUNTS } from "@tiphys/kube";
import { ACCOUNT_TOKEN } from "./caller.ts";
import type { ApiContext } from "../context.ts";
import { collectionName } from "../store.ts";
import type { Tokens } from "./tokens.ts";

const ACCOUNT = "kubernetes.io/service-account.name";

/** Such a token does not end: it goes with its secret. */
const NEVER = new Date("9999-12-31T00:00:00Z");

/** The issuer of tokens, the accounts, and the certificate with which such a secret is filled. */
export interface TokenSource {
  readonly context: ApiContext;
  readonly tokens: Tokens;
  readonly caCert: () => string | undefined;
}

/** The object with its token when it is such a secret, else as it was given. */
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

/** Whether a secret of the namespace holds this token. */
export function isHeld({ store }: ApiContext, namespace: string, token: string): boolean {
  const encoded = new TextEncoder().encode(token).toBase64();
  return store.list(collectionName(SECRETS), namespace).some(({ object }) =>
    object.type === ACCOUNT_TOKEN && (object.data as Record<string, string> | undefined)?.token === encoded
  );
}
