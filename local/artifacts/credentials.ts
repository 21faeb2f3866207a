/** The credentials of the embedded store: one pair of keys for each namespace, which show its own artifacts and no others. */
import { createHmac } from "node:crypto";
import { EMBEDDED_STORE } from "@tiphys/base/constants";
import type { KubeObject } from "@tiphys/kube";
import type { ArtifactStore } from "./artifact_store.ts";

/** Access keys begin so; the namespace follows. */
const PREFIX = "namespace:";

/** The access key of a namespace. */
export function accessKeyOf(namespace: string): string {
  return `${PREFIX}${namespace}`;
}

/** The namespace of an access key; undefined for one of somebody else. */
export function namespaceOf(accessKey: string): string | undefined {
  return accessKey.startsWith(PREFIX) && accessKey.length > PREFIX.length ? accessKey.slice(PREFIX.length) : undefined;
}

/** The secret key of a namespace. */
export function secretKeyOf(store: ArtifactStore, namespace: string): string {
  return createHmac("sha256", store.secret("keys")).update(namespace).digest("base64url");
}

/** The Secret that a namespace has them in, as a location of artifacts names it; it says where the store listens, too. */
export function credentialsSecret(store: ArtifactStore, namespace: string, address?: string): KubeObject {
  const { name, accessKey, secretKey, endpoint } = EMBEDDED_STORE.secret;
  return {
    apiVersion: "v1",
    kind: "Secret",
    type: "Opaque",
    metadata: { name, namespace },
    data: {
      [accessKey]: btoa(accessKeyOf(namespace)),
      [secretKey]: btoa(secretKeyOf(store, namespace)),
      ...(address && { [endpoint]: btoa(address) }),
    },
  };
}
