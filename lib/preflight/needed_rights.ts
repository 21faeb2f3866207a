/**
 * The rights that the controller needs, each with a caller in its sources: what the roles of the install manifests are
 * made of, and what a preflight asks of an account that is there already.
 */
import { GROUP } from "../api/mod.ts";

/** A rule of a Role, as Kubernetes spells it. */
export interface Rule {
  readonly apiGroups: string[];
  readonly resources: string[];
  readonly verbs: string[];
  readonly resourceNames?: string[];
}

export function rule(group: string, resources: string[], verbs: string[], resourceNames?: string[]): Rule {
  return { apiGroups: [group], resources, verbs, ...(resourceNames && { resourceNames }) };
}

/** The rights of the controller in the namespaces whose workflows it runs; each verb has a caller in `controller/`. */
export const CONTROLLER_RULES: readonly Rule[] = [
  rule(GROUP, ["workflows"], ["get", "list", "watch", "create", "patch", "delete"]),
  rule(GROUP, ["cronworkflows"], ["list", "watch", "patch"]),
  rule(GROUP, ["cronworkflows/finalizers"], ["update"]),
  rule(GROUP, ["workflows/finalizers"], ["update"]),
  rule(GROUP, ["workflowtemplates"], ["list", "watch"]),
  rule(GROUP, ["workflowtaskresults"], ["list", "watch", "deletecollection"]),
  rule(GROUP, ["workflowartifactgctasks"], ["get", "list", "create", "delete"]),
  rule(GROUP, ["workflowtasksets"], ["get", "list", "watch", "create", "patch", "delete"]),
  rule(GROUP, ["workflowtasksets/status"], ["patch"]),
  rule("", ["pods"], ["get", "list", "watch", "create", "patch", "delete"]),
  rule("", ["pods/exec"], ["get", "create"]),
  rule("", ["configmaps"], ["get", "list", "watch", "create", "patch"]),
  rule("", ["persistentvolumeclaims"], ["get", "create", "update", "delete"]),
  rule("", ["events"], ["create", "patch"]),
  rule("", ["namespaces"], ["get", "list", "watch"]),
  rule("policy", ["poddisruptionbudgets"], ["get", "create", "delete"]),
  rule("", ["serviceaccounts"], ["get", "list", "watch"]),
];

/** The rights of the controller in its own namespace, for the election of the one that is at work. */
export const ELECTION_RULES: readonly Rule[] = [rule("coordination.k8s.io", ["leases"], ["get", "create", "update"])];

/** The rights that only a controller of the whole cluster has. */
export const CLUSTER_RULES: readonly Rule[] = [
  rule(GROUP, ["clusterworkflowtemplates"], ["list", "watch"]),
  rule("", ["nodes"], ["list"]),
];

/** Rights that the controller can do without, each with what is lost then; without any other it does not work. */
export const WITHOUT: readonly { readonly right: string; readonly loss: string }[] = [
  { right: "watch serviceaccounts", loss: "accounts are listed now and then instead" },
  { right: "list serviceaccounts", loss: "pods that report by a token of their account's own Secret do not find it" },
  { right: "create configmaps", loss: "templates of more than 128 KB, and memoization, fail and name this right" },
  { right: "patch configmaps", loss: "memoization fails and names this right" },
  { right: "list nodes", loss: "it is taken for granted that every node can run pods without init containers" },
  { right: "patch workflowtasksets/status", loss: "HTTP and plugin templates that are run again may meet old answers" },
  { right: "watch namespaces", loss: "limits in labels of namespaces do not count" },
  { right: "list namespaces", loss: "limits in labels of namespaces do not count" },
  { right: "list clusterworkflowtemplates", loss: "ClusterWorkflowTemplates are not found" },
  { right: "watch clusterworkflowtemplates", loss: "ClusterWorkflowTemplates are not found" },
  { right: "deletecollection workflowtaskresults", loss: "reports stay until their workflow is deleted" },
];
