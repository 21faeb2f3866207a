/** The identity of a Kubernetes client, as the API server reports it. */
import { fieldsOf, itemsOf, textIn } from "@tiphys/base/fields_of";
import { classifyError, type KubeClient } from "@tiphys/kube";
import { CODE, WireError } from "../wire/errors.ts";
import { accountOf, type Claims, payloadOf } from "./caller.ts";

/** The message for missing or invalid credentials. */
export const NOT_VALID = "token not valid. see https://argo-workflows.readthedocs.io/en/latest/faq/";

/** Creates the error for a caller who is not authenticated. */
export function invalidToken(message = NOT_VALID, cause?: unknown): WireError {
  return new WireError(CODE.unauthenticated, message, { cause });
}

/**
 * Requests the identity of credentials from the API server. Other claims of the token are trusted, because the API
 * server has verified it.
 * @throws {WireError} `unauthenticated` for invalid credentials; {@link KubeError} when the API server cannot be
 * reached.
 */
export async function identify(client: KubeClient, credential: string): Promise<Claims> {
  const { username, groups } = await reviewSelf(client);
  if (!username || username === "system:anonymous") throw invalidToken();
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

async function reviewSelf(client: KubeClient) {
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
    // A cluster that allows anonymous requests responds to unknown callers with 403 instead of 401.
    if (classifyError(error) === "forbidden") throw invalidToken(NOT_VALID, error);
    throw error;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
