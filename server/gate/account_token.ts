/** The token of a service account, in the Secret that its object names. */
import { type KubeClient, type KubeObject, SECRETS } from "../../lib/kube/mod.ts";

const TOKEN_SECRET = "workflows.argoproj.io/service-account-token.name";

/** A service account as far as it says where its token is. */
export interface ServiceAccount extends KubeObject {
  readonly secrets?: readonly { readonly name?: string }[];
}

/** The Secret with the token: the account's first, else the one that its annotation names, else the one named after it. */
export function tokenSecretOf({ metadata, secrets }: ServiceAccount): string {
  return secrets?.[0]?.name || metadata.annotations?.[TOKEN_SECRET] || `${metadata.name}.service-account-token`;
}

/** The token in a Secret; an empty text where it has none. */
export async function readToken(client: KubeClient, namespace: string, secret: string): Promise<string> {
  const { data } = await client.get<{ data?: Readonly<Record<string, string>> }>(SECRETS, namespace, secret);
  try {
    return atob(data?.token ?? "").trim();
  } catch {
    return "";
  }
}
