/** The identity behind a client of Kubernetes, as the API server itself says it. */
import { fieldsOf, itemsOf, textIn } from "../../lib/fields_of.ts";
import { type KubeClient, sortError } from "../../lib/kube/mod.ts";
import { CODE, WireError } from "../wire/errors.ts";
import { accountOf, type Claims, payloadOf } from "./caller.ts";

/** The answer to credentials that are missing or not good. */
export const NOT_VALID = "token not valid. see https://argo-workflows.readthedocs.io/en/latest/faq/";

/** The error for a caller who is not let in. */
export function notValid(message = NOT_VALID, cause?: unknown): WireError {
  return new WireError(CODE.unauthenticated, message, { cause });
}

/**
 * Asks the API server who the holder of these credentials is. Other claims of the token are believed, since the API
 * server has verified it.
 * @throws {WireError} with the code `unauthenticated` for credentials that are not good; {@link KubeError} where it cannot
 *   be asked.
 */
export async function identify(client: KubeClient, credential: string): Promise<Claims> {
  const { username, groups } = await whoAmI(client);
  if (!username || username === "system:anonymous") throw notValid();
  const payload = payloadOf(credential);
  return {
    issuer: textOf(payload.iss),
    subject: username,
    groups: groups.filter((group) => group !== "system:authenticated"),
    name: textOf(payload.name),
    email: textOf(payload.email),
    emailVerified: payload.email_verified === true ? true : undefined,
    preferredUsername: textOf(payload.preferred_username),
    ...accountOf(username),
  };
}

async function whoAmI(client: KubeClient) {
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  try {
    const review = await client.request(
      "POST",
      "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      { body },
    );
    const user = fieldsOf(fieldsOf(fieldsOf(review).status).userInfo);
    return {
      username: textIn(user, "username"),
      groups: itemsOf(user.groups).filter((group) => typeof group === "string"),
    };
  } catch (error) {
    // A Kubernetes that lets anonymous requests in answers unknown callers with 403 instead of 401.
    if (sortError(error) === "forbidden") throw notValid(NOT_VALID, error);
    throw error;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
