/** Secrets of type `kubernetes.io/service-account-token`: who creates one gets it filled, as on a real cluster. */

import { type KubeObject, type Resource, SECRETS } from "../../lib/kube/mod.ts";
import type { Tokens } from "./tokens.ts";

const TYPE = "kubernetes.io/service-account-token";
const ACCOUNT = "kubernetes.io/service-account.name";

/** Such a token does not end: it goes with its secret. */
const NEVER = new Date("9999-12-31T00:00:00Z");

/** What a pod needs to come in by such a secret. */
export interface TokenSource {
  readonly tokens: Tokens;
  readonly caCert: () => string | undefined;
}

/** The object with its token when it is such a secret, else as it was given. */
export async function withAccountToken(
  { tokens, caCert }: TokenSource,
  resource: Resource,
  namespace: string | undefined,
  object: KubeObject,
): Promise<KubeObject> {
  const serviceAccount = object.metadata.annotations?.[ACCOUNT];
  const isWanted = resource.group === SECRETS.group && resource.plural === SECRETS.plural && object.type === TYPE;
  if (!isWanted || !serviceAccount || namespace === undefined) return object;
  const token = await tokens.issue({ namespace, serviceAccount }, NEVER);
  const content = { "ca.crt": caCert() ?? "", namespace, token };
  const encoded = Object.entries(content).map(([key, text]) => [key, new TextEncoder().encode(text).toBase64()]);
  return { ...object, data: { ...object.data as object, ...Object.fromEntries(encoded) } };
}
