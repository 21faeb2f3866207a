/** Tokens for pods: what the kubelet asks for before it mounts a service account. */

import type { KubeObject } from "../../lib/kube/mod.ts";
import { timestamp } from "./context.ts";
import type { Tokens } from "./tokens.ts";
import { asObject } from "./write_request.ts";

const HOUR_SECONDS = 3600;

interface TokenRequestSpec {
  expirationSeconds?: number;
  audiences?: string[];
  boundObjectRef?: { kind?: string; name?: string; uid?: string };
}

/** Answers a TokenRequest for a service account that exists. */
export async function issueToken(
  tokens: Tokens,
  namespace: string,
  serviceAccount: string,
  body: unknown,
  now: Date,
): Promise<KubeObject> {
  const request = asObject(body ?? {});
  const spec = (request.spec ?? {}) as TokenRequestSpec;
  const expires = new Date(now.getTime() + (spec.expirationSeconds ?? HOUR_SECONDS) * 1000);
  const { kind, name, uid } = spec.boundObjectRef ?? {};
  const pod = kind === "Pod" && name && uid ? { name, uid } : undefined;
  const token = await tokens.issue({ namespace, serviceAccount, pod }, expires);
  return {
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { name: serviceAccount, namespace, creationTimestamp: timestamp(now) },
    spec: { ...spec, expirationSeconds: spec.expirationSeconds ?? HOUR_SECONDS },
    status: { token, expirationTimestamp: timestamp(expires) },
  };
}
