/** Fields of a pod about scheduling and its environment: affinity, tolerations, DNS, hosts, security. */
import * as z from "zod";
import { LabelSelector } from "../metadata.ts";
import { Int64, IntOrString, loose, object } from "../schema.ts";

/** The nodes and neighboring pods that a pod prefers or requires. The terms are validated by Kubernetes. */
export const Affinity = object({
  nodeAffinity: loose({
    requiredDuringSchedulingIgnoredDuringExecution: loose({
      nodeSelectorTerms: z.array(loose({})).optional(),
    }).optional(),
    preferredDuringSchedulingIgnoredDuringExecution: z.array(loose({})).optional(),
  }).optional(),
  podAffinity: loose({}).optional(),
  podAntiAffinity: loose({}).optional(),
});
/** The nodes and neighboring pods that a pod prefers or requires. */
export type Affinity = z.infer<typeof Affinity>;

/** A taint that a pod tolerates. */
export const Toleration = object({
  key: z.string().optional(),
  operator: z.string().optional(),
  value: z.string().optional(),
  effect: z.string().optional(),
  tolerationSeconds: Int64.optional(),
});
/** A taint that a pod tolerates. */
export type Toleration = z.infer<typeof Toleration>;

/** Entries of a pod's hosts file. */
export const HostAlias = object({ ip: z.string(), hostnames: z.array(z.string()).optional() });
/** Entries of a pod's hosts file. */
export type HostAlias = z.infer<typeof HostAlias>;

/** DNS parameters of a pod. */
export const PodDNSConfig = object({
  nameservers: z.array(z.string()).optional(),
  searches: z.array(z.string()).optional(),
  options: z.array(object({ name: z.string().optional(), value: z.string().optional() })).optional(),
});
/** DNS parameters of a pod. */
export type PodDNSConfig = z.infer<typeof PodDNSConfig>;

/** Security settings of all containers of a pod. */
export const PodSecurityContext = object({
  seLinuxOptions: loose({}).optional(),
  windowsOptions: loose({}).optional(),
  runAsUser: Int64.optional(),
  runAsGroup: Int64.optional(),
  runAsNonRoot: z.boolean().optional(),
  supplementalGroups: z.array(Int64).optional(),
  supplementalGroupsPolicy: z.string().optional(),
  fsGroup: Int64.optional(),
  fsGroupChangePolicy: z.string().optional(),
  sysctls: z.array(object({ name: z.string(), value: z.string() })).optional(),
  seccompProfile: loose({}).optional(),
  appArmorProfile: loose({}).optional(),
  seLinuxChangePolicy: z.string().optional(),
});
/** Security settings of all containers of a pod. */
export type PodSecurityContext = z.infer<typeof PodSecurityContext>;

/** A device claim of a pod. */
export const PodResourceClaim = object({
  name: z.string(),
  resourceClaimName: z.string().optional(),
  resourceClaimTemplateName: z.string().optional(),
});
/** A device claim of a pod. */
export type PodResourceClaim = z.infer<typeof PodResourceClaim>;

/**
 * The number or percentage of a workflow's pods that must be available, or may be unavailable, in a voluntary
 * disruption.
 */
export const PodDisruptionBudgetSpec = object({
  minAvailable: IntOrString.optional(),
  maxUnavailable: IntOrString.optional(),
  selector: LabelSelector.optional(),
  unhealthyPodEvictionPolicy: z.string().optional(),
});
/**
 * The number or percentage of a workflow's pods that must be available, or may be unavailable, in a voluntary
 * disruption.
 */
export type PodDisruptionBudgetSpec = z.infer<typeof PodDisruptionBudgetSpec>;
