/** Pod of core/v1 as the engine builds and observes it. `read_pod.ts` validates those from the API server. */
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

/** A container with a name. */
export type PodContainer = Container & { name: string };

/** The specification of a pod. */
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

/** The state of a container that has not started. */
export interface ContainerStateWaiting {
  reason?: string;
  message?: string;
}

/** The state of a running container. */
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

/** At most one field is present; without one, the container is waiting. */
export interface ContainerState {
  waiting?: ContainerStateWaiting;
  running?: ContainerStateRunning;
  terminated?: ContainerStateTerminated;
}

/** The status of one container of a pod. */
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

/** A condition of a pod. */
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

/** The status of a pod and its containers. */
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
