/** Lookup of the token of a service account. */
import { fieldsOf } from "@tiphys/base/fields_of";
import { type KubeClient, type KubeObject, SECRETS } from "@tiphys/kube";
import { dataOf } from "@tiphys/kube/object_data";

const TOKEN_SECRET = "workflows.argoproj.io/service-account-token.name";

/**
 * Returns the name of the Secret with the token: the account's first Secret, otherwise that of its annotation,
 * otherwise the default name.
 */
export function tokenSecretOf({ metadata, secrets }: KubeObject): string {
  const { name: first } = fieldsOf(Array.isArray(secrets) ? secrets[0] : undefined);
  return typeof first === "string" && first || metadata.annotations?.[TOKEN_SECRET] ||
    `${metadata.name}.service-account-token`;
}

/** Returns the token in a Secret; an empty string if it contains no token. */
export async function readToken(client: KubeClient, namespace: string, secret: string): Promise<string> {
  const { token = "" } = dataOf(await client.get(SECRETS, namespace, secret));
  try {
    return atob(token).trim();
  } catch {
    return "";
  }
}
