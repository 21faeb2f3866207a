/** The permissions of controller and server in the manifests of Argo 4.1.2, and those that ours lack with them. */
import {
  CLUSTER_RULES,
  CONTROLLER_RULES,
  missingRules,
  type OptionalRight,
  optionalRight,
  type Rule,
  rule,
} from "@tiphys/installation/preflight";

const ALL = ["get", "list", "watch", "update", "patch", "delete", "create"];
const READ = ["get", "list", "watch"];
const argo = "argoproj.io";

/** The permissions of the controller's account. */
export const ARGO_CONTROLLER_RULES: readonly Rule[] = [
  rule("", ["pods", "pods/exec"], ALL),
  rule("", ["configmaps", "namespaces"], READ),
  rule("", ["persistentvolumeclaims", "persistentvolumeclaims/finalizers"], ["create", "update", "delete", "get"]),
  rule(
    argo,
    ["workflows", "workflows/finalizers", "workflowtasksets", "workflowtasksets/finalizers", "workflowartifactgctasks"],
    ALL,
  ),
  rule(argo, ["workflowtemplates", "clusterworkflowtemplates"], READ),
  rule(argo, ["workflowtaskresults"], ["list", "watch", "deletecollection"]),
  rule("", ["serviceaccounts"], ["get", "list"]),
  rule(argo, ["cronworkflows", "cronworkflows/finalizers"], ["get", "list", "watch", "update", "patch", "delete"]),
  rule("", ["events"], ["create", "patch"]),
  rule("policy", ["poddisruptionbudgets"], ["create", "get", "delete"]),
  rule("", ["secrets"], ["get"], ["argo-workflows-agent-ca-certificates"]),
];

/** The permissions of the server's account, with which it serves clients in the mode `server`. */
export const ARGO_SERVER_RULES: readonly Rule[] = [
  rule("", ["configmaps"], [...READ, "create", "update"]),
  rule("", ["secrets"], ["get", "create"]),
  rule("", ["pods", "pods/exec", "pods/log"], [...READ, "delete"]),
  rule("", ["events"], ["watch", "create", "patch"]),
  rule("", ["serviceaccounts"], ["get", "list", "watch"]),
  rule(
    argo,
    [
      "eventsources",
      "sensors",
      "workflows",
      "workfloweventbindings",
      "workflowtemplates",
      "cronworkflows",
      "clusterworkflowtemplates",
    ],
    ALL,
  ),
];

/** Lists the rules that our controller can use and Argo's role lacks. */
export function rulesToAdd(): Rule[] {
  return missingRules([...CONTROLLER_RULES, ...CLUSTER_RULES], ARGO_CONTROLLER_RULES);
}

/** Lists the permissions that our controller can use and Argo's role lacks; it works without each of them. */
export function rightsToAdd(): OptionalRight[] {
  return rulesToAdd().flatMap(({ resources: [resource = ""], verbs }) =>
    verbs.flatMap((verb) => optionalRight(verb, resource) ?? [])
  );
}
