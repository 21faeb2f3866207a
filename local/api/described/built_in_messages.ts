/** The messages of built-in kinds: what clients send as protobuf, and which fields there are. */

import { CORE, type MessageType, META, readMessages } from "@tiphys/proto";
import { KUBERNETES } from "./kubernetes_schema.ts";

/** The packages of Kubernetes' groups, where they are not called the same; `meta` is that of what all kinds share. */
const PACKAGES: Readonly<Record<string, string>> = {
  "": "core",
  "authentication.k8s.io": "authentication",
  "authorization.k8s.io": "authorization",
  "coordination.k8s.io": "coordination",
  "rbac.authorization.k8s.io": "rbac",
  "scheduling.k8s.io": "scheduling",
  "storage.k8s.io": "storage",
};

/** Options that clients send under the version of the kind that they are about. */
const OPTIONS = new Set(["DeleteOptions"]);

let messages: ReadonlyMap<string, MessageType> | undefined;

/** The message of a built-in kind; undefined where none is known. */
export function builtInMessage(group: string, kind: string): MessageType | undefined {
  messages ??= readMessages([META, CORE, KUBERNETES]);
  return messages.get(`${OPTIONS.has(kind) ? "meta" : PACKAGES[group] ?? group}.${kind}`);
}
