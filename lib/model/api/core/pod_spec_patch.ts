/** The types of the fields that users patch in a pod. Kubernetes validates everything else. */
import * as z from "zod";
import { Int32, Int64, loose, object, StringMap } from "../schema.ts";
import { containerShape, ResourceRequirements } from "./container.ts";
import { LocalObjectReference } from "./reference.ts";
import { Affinity, HostAlias, PodDNSConfig, PodResourceClaim, PodSecurityContext, Toleration } from "./scheduling.ts";
import { Volume } from "./volume.ts";

const PatchedContainer = loose({ name: z.string(), ...containerShape });

/** A patch of a pod's spec, for checks of types. */
export const PodSpecPatch = object({
  containers: z.array(PatchedContainer).optional(),
  initContainers: z.array(PatchedContainer).optional(),
  volumes: z.array(Volume).optional(),
  restartPolicy: z.string().optional(),
  terminationGracePeriodSeconds: Int64.optional(),
  activeDeadlineSeconds: Int64.optional(),
  dnsPolicy: z.string().optional(),
  dnsConfig: PodDNSConfig.optional(),
  nodeSelector: StringMap.optional(),
  nodeName: z.string().optional(),
  affinity: Affinity.optional(),
  tolerations: z.array(Toleration).optional(),
  schedulerName: z.string().optional(),
  priority: Int32.optional(),
  priorityClassName: z.string().optional(),
  preemptionPolicy: z.string().optional(),
  serviceAccountName: z.string().optional(),
  automountServiceAccountToken: z.boolean().optional(),
  imagePullSecrets: z.array(LocalObjectReference).optional(),
  hostAliases: z.array(HostAlias).optional(),
  hostNetwork: z.boolean().optional(),
  hostPID: z.boolean().optional(),
  hostIPC: z.boolean().optional(),
  hostUsers: z.boolean().optional(),
  shareProcessNamespace: z.boolean().optional(),
  hostname: z.string().optional(),
  subdomain: z.string().optional(),
  securityContext: PodSecurityContext.optional(),
  resources: ResourceRequirements.optional(),
  resourceClaims: z.array(PodResourceClaim).optional(),
  enableServiceLinks: z.boolean().optional(),
  runtimeClassName: z.string().optional(),
});
/** A patch of a pod's spec, for checks of types. */
export type PodSpecPatch = z.infer<typeof PodSpecPatch>;
