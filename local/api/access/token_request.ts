/** Tokens for pods, which the kubelet requests to mount a service account. */

import type { KubeObject } from "@tiphys/kube";
import { timeText } from "@tiphys/model/status";
import { badRequest, StatusError } from "../status_error.ts";
import type { Tokens } from "./tokens.ts";
import { asObject } from "../body.ts";

const HOUR_SECONDS = 3600;
/** The maximum validity of a token, as in Kubernetes. */
const MAX_SECONDS = 2 ** 32;

interface TokenRequestSpec {
  expirationSeconds?: number;
  audiences?: string[];
  boundObjectRef?: { kind?: string; name?: string; uid?: string };
}

/** The minimum validity that may be requested. */
const MIN_SECONDS = 600;

function tooShortError(seconds: number): StatusError {
  const why = `Invalid value: ${seconds}: may not specify a duration less than 10 minutes`;
  const cause = { reason: "FieldValueInvalid", field: "spec.expirationSeconds", message: why };
  const message = `TokenRequest.authentication.k8s.io "" is invalid: ${cause.field}: ${why}`;
  return new StatusError(422, "Invalid", message, {
    group: "authentication.k8s.io",
    kind: "TokenRequest",
    causes: [cause],
  });
}

/** Answers a TokenRequest for an existing service account. */
export async function issueToken(
  tokens: Tokens,
  account: KubeObject,
  body: unknown,
  now: Date,
): Promise<KubeObject> {
  const request = asObject(body ?? {});
  const spec = (request.spec ?? {}) as TokenRequestSpec;
  const seconds = spec.expirationSeconds ?? HOUR_SECONDS;
  if (!Number.isSafeInteger(seconds) || seconds <= 0 || seconds > MAX_SECONDS) {
    throw badRequest(
      `spec.expirationSeconds: Invalid value: ${JSON.stringify(seconds)}: expected 1 to ${MAX_SECONDS}`,
    );
  }
  if (seconds < MIN_SECONDS) throw tooShortError(seconds);
  const expires = new Date(now.getTime() + seconds * 1000);
  const { kind, name, uid } = spec.boundObjectRef ?? {};
  const pod = kind === "Pod" && name && uid ? { name, uid } : undefined;
  const { namespace = "", name: serviceAccount = "", uid: accountUid } = account.metadata;
  const token = await tokens.issue({ namespace, serviceAccount, accountUid, pod, audiences: spec.audiences }, expires);
  return {
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { name: serviceAccount, namespace, creationTimestamp: timeText(now) },
    spec: { ...spec, expirationSeconds: seconds },
    status: { token, expirationTimestamp: timeText(expires) },
  };
}
