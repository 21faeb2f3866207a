/** Other Kubernetes objects that the engine reads or writes. They have no schema. */
import type { LabelSelector, ObjectMeta } from "../metadata.ts";
import type { ObjectReference } from "./reference.ts";
import type { PodDisruptionBudgetSpec } from "./scheduling.ts";

/** The fields that all Kubernetes objects have. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
}

/** Configuration data as text. */
export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
  immutable?: boolean;
}

/** Confidential data; the values of `data` are base64. */
export interface Secret extends KubeObject {
  type?: string;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  immutable?: boolean;
}

/** An event of an object. */
export interface Event extends KubeObject {
  involvedObject: ObjectReference;
  reason?: string;
  message?: string;
  type?: string;
  action?: string;
  count?: number;
  eventTime?: string;
  firstTimestamp?: string;
  lastTimestamp?: string;
  reportingComponent?: string;
  reportingInstance?: string;
  source?: { component?: string; host?: string };
}

/** An identity of pods. */
export interface ServiceAccount extends KubeObject {
  secrets?: ObjectReference[];
  imagePullSecrets?: { name?: string }[];
  automountServiceAccountToken?: boolean;
}

/** A namespace. */
export interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string };
}

/** A limit on the number of pods that voluntary disruptions may evict at a time. */
export interface PodDisruptionBudget extends KubeObject {
  spec?: PodDisruptionBudgetSpec;
}

/** A lock that elects a leader. */
export interface Lease extends KubeObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

/** A stable address of pods. */
export interface Service extends KubeObject {
  spec?: { selector?: LabelSelector["matchLabels"]; ports?: { name?: string; port: number; protocol?: string }[] };
}

/** A list in the format of the API. */
export interface KubeList<Item> {
  apiVersion?: string;
  kind?: string;
  metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number };
  items: Item[];
}
