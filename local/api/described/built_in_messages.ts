/** The protobuf messages of built-in kinds: clients send them, and they define which fields exist. */

import { KUBERNETES, type MessageType, messageTypes } from "@tiphys/proto";
import { LOCAL_KINDS } from "./gen/local_kinds.ts";

/** The packages of Kubernetes' groups whose names differ. `meta` contains the messages that all kinds share. */
const PACKAGES: Readonly<Record<string, string>> = {
  "": "core",
  "authentication.k8s.io": "authentication",
  "authorization.k8s.io": "authorization",
  "coordination.k8s.io": "coordination",
  "rbac.authorization.k8s.io": "rbac",
  "scheduling.k8s.io": "scheduling",
  "storage.k8s.io": "storage",
};

/** Options that clients send with the version of the kind that they apply to. */
const OPTIONS = new Set(["DeleteOptions"]);

let messages: ReadonlyMap<string, MessageType> | undefined;

/** The message of a built-in kind; undefined if it is unknown. */
export function builtInMessage(group: string, kind: string): MessageType | undefined {
  messages ??= messageTypes(KUBERNETES, LOCAL_KINDS);
  return messages.get(`${OPTIONS.has(kind) ? "meta" : PACKAGES[group] ?? group}.${kind}`);
}
