/**
 * Permissions around the server: its own, and those that users need for its routes. The latter are derived from the
 * table of routes, so that a new route is a new permission.
 */
import { GROUP, KINDS } from "@tiphys/model/api";
import { type Rule, rule } from "@tiphys/installation/preflight";
import type { Right } from "../server/gate/rights.ts";
import type { Call, Route } from "../server/routes/route.ts";
import { ROUTES } from "../server/table.ts";

/**
 * The permissions of the server in the namespaces that it serves: for its cache of workflows, and to validate new ones.
 */
export const SERVER_RULES: readonly Rule[] = [
  rule(GROUP, ["workflows"], ["list", "watch"]),
  rule(GROUP, ["workflowtemplates"], ["get"]),
];

/** The permissions that only a server of the whole cluster has. */
export const SERVER_CLUSTER_RULES: readonly Rule[] = [rule(GROUP, ["clusterworkflowtemplates"], ["get"])];

/** The permissions of the server in its own namespace: the settings that it shares with the controller. */
export const SERVER_OWN_RULES: readonly Rule[] = [
  rule("", ["configmaps"], ["get"], ["workflow-controller-configmap"]),
];

/**
 * The permissions that login adds in the server's namespace: the key of sessions, the accounts of users and their
 * tokens.
 */
export const SERVER_SSO_RULES: readonly Rule[] = [
  rule("", ["secrets"], ["create", "get"]),
  rule("", ["serviceaccounts"], ["list"]),
];

/**
 * The permissions that events add in a namespace: the clients of webhooks, their accounts and tokens, warnings on
 * bindings.
 */
export const SERVER_EVENT_RULES: readonly Rule[] = [
  rule("", ["secrets"], ["get"]),
  rule("", ["serviceaccounts"], ["get"]),
  rule("", ["events"], ["create"]),
];

/** Sample requests from which the permissions of a route are determined, where they depend on the body. */
const SAMPLES = [
  {},
  ...["Workflow", "WorkflowTemplate", "ClusterWorkflowTemplate", "CronWorkflow"].map((resourceKind) => ({
    resourceKind,
    resourceName: "any",
    type: "CONFIGMAP",
  })),
];
const PARAMS = new Proxy<Record<string, string>>({}, { get: () => "any" });

/** All permissions that a route may need. */
export function rightsOfRoute(route: Route): readonly Right[] {
  const asked = SAMPLES.flatMap((body) => {
    for (const query of [{}, { "logOptions.follow": true, "podLogOptions.follow": true }]) {
      try {
        return route.rights({ params: PARAMS, query, body, headers: new Headers() } as unknown as Call);
      } catch {
        // A route refuses a request that it cannot parse; another sample is one that it can.
      }
    }
    return [];
  });
  return asked;
}

/** The rules that permit the use of routes, and nothing else. */
export function rulesOfRoutes(routes: readonly Route[] = ROUTES): Rule[] {
  const verbs = new Map<string, Set<string>>();
  for (const { verb, group, resource, subresource } of routes.flatMap(rightsOfRoute)) {
    const key = `${group} ${subresource === undefined ? resource : `${resource}/${subresource}`}`;
    verbs.set(key, (verbs.get(key) ?? new Set()).add(verb));
  }
  return [...verbs].sort(([a], [b]) => a < b ? -1 : 1).map(([key, of]) => {
    const [group = "", resource = ""] = key.split(" ");
    return rule(group, [resource], [...of].sort());
  });
}

const READ = ["get", "list", "watch"];
const WRITE = ["create", "delete", "deletecollection", ...READ, "patch", "update"].sort();

/**
 * The rules to aggregate into Kubernetes' user roles, by the names of these roles: our kinds are treated like their
 * other objects.
 */
export function aggregatedRules(): ReadonlyMap<string, readonly Rule[]> {
  const resources = Object.values(KINDS).map(({ plural }) => plural).sort();
  const all = [...resources, ...resources.map((plural) => `${plural}/finalizers`)].sort();
  return new Map([
    ["view", [rule(GROUP, resources, READ)]],
    ["edit", [rule(GROUP, all, WRITE)]],
    ["admin", [rule(GROUP, all, WRITE)]],
  ]);
}
