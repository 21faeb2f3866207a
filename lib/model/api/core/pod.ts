/** core/v1 Pod as the engine builds and observes it. Those that Kubernetes hands out are read by `read_pod.ts`. */
import type { ObjectMeta } from "../metadata.ts";
import type { Container, ResourceRequirements } from "./container.ts";
import type { LocalObjectReference } from "./reference.ts";
import type {
  Affinity,
  HostAlias,
  PodDNSConfig,
  PodResourceClaim,
  PodSecurityContext,
  Toleration,
} from "./scheduling.ts";
import type { Volume } from "./volume.ts";

/** A container that has its name. */
export type PodContainer = Container & { name: string };

/** The description of a pod: its containers, its volumes, and the place and limits of its run. */
export interface PodSpec {
  containers: PodContainer[];
  initContainers?: PodContainer[];
  volumes?: Volume[];
  restartPolicy?: string;
  terminationGracePeriodSeconds?: number;
  schedulingGates?: { name: string }[];
  activeDeadlineSeconds?: number;
  dnsPolicy?: string;
  dnsConfig?: PodDNSConfig;
  nodeSelector?: Record<string, string>;
  nodeName?: string;
  affinity?: Affinity;
  tolerations?: Toleration[];
  schedulerName?: string;
  priority?: number;
  priorityClassName?: string;
  preemptionPolicy?: string;
  serviceAccountName?: string;
  automountServiceAccountToken?: boolean;
  imagePullSecrets?: LocalObjectReference[];
  hostAliases?: HostAlias[];
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  shareProcessNamespace?: boolean;
  hostname?: string;
  subdomain?: string;
  securityContext?: PodSecurityContext;
  resources?: ResourceRequirements;
  resourceClaims?: PodResourceClaim[];
  enableServiceLinks?: boolean;
  runtimeClassName?: string;
}

/** A container that waits to be started. */
export interface ContainerStateWaiting {
  reason?: string;
  message?: string;
}

/** A container that runs. */
export interface ContainerStateRunning {
  startedAt?: string;
}

/** A container that has ended. */
export interface ContainerStateTerminated {
  exitCode: number;
  signal?: number;
  reason?: string;
  message?: string;
  startedAt?: string;
  finishedAt?: string;
  containerID?: string;
}

/** Exactly one of the three is there; none means waiting. */
export interface ContainerState {
  waiting?: ContainerStateWaiting;
  running?: ContainerStateRunning;
  terminated?: ContainerStateTerminated;
}

/** The state of one container of a pod, now and before its last restart. */
export interface ContainerStatus {
  name: string;
  state?: ContainerState;
  lastState?: ContainerState;
  ready?: boolean;
  started?: boolean;
  restartCount?: number;
  image?: string;
  imageID?: string;
  containerID?: string;
}

/** One fact about a pod as a whole. */
export interface PodCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  lastProbeTime?: string;
}

/** The five phases of a pod. */
export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";

/** The state of a pod and of its containers. */
export interface PodStatus {
  phase?: PodPhase;
  conditions?: PodCondition[];
  message?: string;
  reason?: string;
  hostIP?: string;
  podIP?: string;
  podIPs?: { ip?: string }[];
  startTime?: string;
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
  qosClass?: string;
}

/** A pod. */
export interface Pod {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  spec: PodSpec;
  status?: PodStatus;
}
