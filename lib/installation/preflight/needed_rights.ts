/**
 * The permissions that the controller needs, each with a caller in its sources. The roles of the install manifests are
 * generated from them, and a preflight checks that an account has them.
 */
import { GROUP } from "@tiphys/model/api";

/** A rule of a Role, in Kubernetes' format. */
export interface Rule {
  readonly apiGroups: string[];
  readonly resources: string[];
  readonly verbs: string[];
  readonly resourceNames?: string[];
}

export function rule(group: string, resources: string[], verbs: string[], resourceNames?: string[]): Rule {
  return { apiGroups: [group], resources, verbs, ...(resourceNames && { resourceNames }) };
}

/**
 * The permissions of the controller in the namespaces whose workflows it runs. Each verb has a caller in `controller/`.
 */
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

/** The permissions of the controller in its own namespace, for leader election. */
export const ELECTION_RULES: readonly Rule[] = [rule("coordination.k8s.io", ["leases"], ["get", "create", "update"])];

/** The permissions that only a controller of the whole cluster has. */
export const CLUSTER_RULES: readonly Rule[] = [
  rule(GROUP, ["clusterworkflowtemplates"], ["list", "watch"]),
  rule("", ["nodes"], ["list"]),
];

/** A permission that the controller can do without. */
export interface OptionalRight {
  /** Verb and resource: `create configmaps`. */
  readonly right: string;
  /** The effect if it is missing, as a clause. */
  readonly loss: string;
}

/**
 * The permissions that the controller can do without; it does not work without any other one of {@link
 * CONTROLLER_RULES}. The preflight, the migration guide and the end-to-end tests with Argo's roles read this table.
 */
export const OPTIONAL_RIGHTS: readonly OptionalRight[] = [
  {
    right: "create configmaps",
    loss: "a template or arguments that do not fit into a pod (128 KB) fail; memoization works with caches that exist",
  },
  {
    right: "patch configmaps",
    loss: "caches of memoization are updated as a whole, which needs `update configmaps`",
  },
  {
    right: "patch workflowtasksets/status",
    loss: "HTTP and plugin templates that run again in a retried workflow may reuse old responses",
  },
  {
    right: "get pods/exec",
    loss:
      "containers get no signals: the pods of stopped workflows and of daemons are deleted after twice their grace period",
  },
  { right: "watch serviceaccounts", loss: "service accounts are listed periodically instead" },
  {
    right: "list serviceaccounts",
    loss: "pods whose executor uses a token from a Secret of its service account do not find that Secret",
  },
  { right: "list nodes", loss: "every node is assumed to run pods without init containers" },
  { right: "watch namespaces", loss: "limits in labels of namespaces have no effect" },
  { right: "list namespaces", loss: "limits in labels of namespaces have no effect" },
  { right: "list clusterworkflowtemplates", loss: "ClusterWorkflowTemplates are not found" },
  { right: "watch clusterworkflowtemplates", loss: "ClusterWorkflowTemplates are not found" },
  { right: "deletecollection workflowtaskresults", loss: "reports stay until their workflow is deleted" },
];

/** Finds an optional permission. */
export function optionalRight(verb: string, resource: string): OptionalRight | undefined {
  return OPTIONAL_RIGHTS.find(({ right }) => right === `${verb} ${resource}`);
}

/** Lists the parts of rules that other rules do not grant, one rule per resource. */
export function missingRules(needed: readonly Rule[], granted: readonly Rule[]): Rule[] {
  return needed.flatMap(({ apiGroups, resources, verbs, resourceNames }) => {
    const [group = ""] = apiGroups;
    return resources.flatMap((resource) => {
      const lacking = verbs.filter((verb) =>
        !granted.some((rule) =>
          rule.apiGroups.includes(group) && rule.resources.includes(resource) && rule.verbs.includes(verb) &&
          (rule.resourceNames === undefined || rule.resourceNames.join() === resourceNames?.join())
        )
      );
      return lacking.length > 0 ? [rule(group, [resource], lacking, resourceNames)] : [];
    });
  });
}
