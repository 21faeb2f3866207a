/**
 * Scheduling and rights of a pod: each field from the first of template, enclosing template and workflow that sets it.
 */
import type { PodSpec } from "@tiphys/model/api";
import { automountToken } from "./executor_container.ts";
import type { PodRequest } from "../request.ts";

/** The scheduling fields of the pod's spec, without fields that are not set. */
export function schedulingFields(request: PodRequest): Partial<PodSpec> {
  const { template, boundaryTemplate: boundary, spec } = request;
  return withoutUndefined({
    nodeSelector: nodeSelectorOf(request),
    affinity: excludeHosts(request, template.affinity ?? boundary?.affinity ?? spec.affinity),
    tolerations: firstNonEmpty(template.tolerations, boundary?.tolerations, spec.tolerations),
    schedulerName: template.schedulerName || spec.schedulerName,
    priorityClassName: template.priorityClassName || spec.podPriorityClassName,
    securityContext: template.securityContext ?? spec.securityContext,
    hostAliases: firstNonEmpty([...spec.hostAliases ?? [], ...template.hostAliases ?? []]),
    hostNetwork: spec.hostNetwork,
    dnsPolicy: spec.dnsPolicy,
    dnsConfig: spec.dnsConfig,
    imagePullSecrets: firstNonEmpty(spec.imagePullSecrets),
    serviceAccountName: template.serviceAccountName || spec.serviceAccountName,
    automountServiceAccountToken: automountToken(request),
    resources: template.podResources ?? spec.podResources,
    resourceClaims: firstNonEmpty(template.resourceClaims, spec.resourceClaims),
  });
}

/** The labels that a machine must have to run the pod. */
export function nodeSelectorOf({ template, boundaryTemplate, spec }: PodRequest): PodSpec["nodeSelector"] {
  return firstNonEmpty(template.nodeSelector, boundaryTemplate?.nodeSelector, spec.nodeSelector);
}

/** Excludes the hosts of earlier attempts in the affinity. */
function excludeHosts(request: PodRequest, affinity: PodSpec["affinity"]): PodSpec["affinity"] {
  const { excludedHosts: hosts = [], config } = request;
  if (!hosts.length) return affinity;
  const avoid = { key: config.hostLabel ?? HOST_LABEL, operator: "NotIn", values: [...hosts] };
  const node = (affinity?.nodeAffinity ?? {}) as { requiredDuringSchedulingIgnoredDuringExecution?: RequiredTerms };
  const required = node.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms?.length ? required.nodeSelectorTerms : [{}];
  const nodeSelectorTerms = terms.map((term) => ({
    ...term,
    matchExpressions: [...term.matchExpressions ?? [], avoid],
  }));
  return {
    ...affinity,
    nodeAffinity: { ...node, requiredDuringSchedulingIgnoredDuringExecution: { ...required, nodeSelectorTerms } },
  };
}

/** The label by which Kubernetes identifies a machine. */
const HOST_LABEL = "kubernetes.io/hostname";

interface RequiredTerms {
  nodeSelectorTerms?: { matchExpressions?: unknown[] }[];
}

function firstNonEmpty<T extends object>(...values: (T | undefined)[]): T | undefined {
  return values.find((value) => value !== undefined && Object.keys(value).length > 0);
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
