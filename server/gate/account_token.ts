/** The token of a service account, in the Secret that its object names. */
import { fieldsOf } from "../../lib/fields_of.ts";
import { dataOf, type KubeClient, type KubeObject, SECRETS } from "../../lib/kube/mod.ts";

const TOKEN_SECRET = "workflows.argoproj.io/service-account-token.name";

/** The Secret with the token: the account's first, else the one that its annotation names, else the one named after it. */
export function tokenSecretOf({ metadata, secrets }: KubeObject): string {
  const { name: first } = fieldsOf(Array.isArray(secrets) ? secrets[0] : undefined);
  return typeof first === "string" && first || metadata.annotations?.[TOKEN_SECRET] ||
    `${metadata.name}.service-account-token`;
}

/** The token in a Secret; an empty text where it has none. */
export async function readToken(client: KubeClient, namespace: string, secret: string): Promise<string> {
  const { token = "" } = dataOf(await client.get(SECRETS, namespace, secret));
  try {
    return atob(token).trim();
  } catch {
    return "";
  }
}
