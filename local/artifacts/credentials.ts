/** The credentials of the embedded store: a key pair for each namespace, which only grants access to its artifacts. */
import { createHmac } from "node:crypto";
import { EMBEDDED_STORE } from "@tiphys/base/constants";
import type { KubeObject } from "@tiphys/kube";
import type { ArtifactStore } from "./artifact_store.ts";

/** Prefix of access keys; the namespace follows. */
const PREFIX = "namespace:";

/** Returns the access key of a namespace. */
export function accessKeyOf(namespace: string): string {
  return `${PREFIX}${namespace}`;
}

/** Returns the namespace of an access key; undefined for keys of other stores. */
export function namespaceOf(accessKey: string): string | undefined {
  return accessKey.startsWith(PREFIX) && accessKey.length > PREFIX.length ? accessKey.slice(PREFIX.length) : undefined;
}

/** Returns the secret key of a namespace. */
export function secretKeyOf(store: ArtifactStore, namespace: string): string {
  return createHmac("sha256", store.secret("keys")).update(namespace).digest("base64url");
}

/**
 * Returns the Secret with the credentials of a namespace and the address of the store, to which artifact locations
 * refer.
 */
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
