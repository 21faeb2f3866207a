/**
 * The rights around the server: those that it has itself, and those that people need to be let in by its gate. The second
 * come from the table of routes, so that a new route is a new right.
 */
import { GROUP, KINDS } from "@tiphys/model/api";
import { type Rule, rule } from "@tiphys/installation/preflight";
import type { Right } from "../server/gate/rights.ts";
import type { Call, Route } from "../server/routes/route.ts";
import { ROUTES } from "../server/table.ts";

/** The rights of the server in the namespaces that it serves: its copy of workflows, and what it checks new ones against. */
export const SERVER_RULES: readonly Rule[] = [
  rule(GROUP, ["workflows"], ["list", "watch"]),
  rule(GROUP, ["workflowtemplates"], ["get"]),
];

/** The rights that only a server of the whole cluster has. */
export const SERVER_CLUSTER_RULES: readonly Rule[] = [rule(GROUP, ["clusterworkflowtemplates"], ["get"])];

/** The rights of the server in its own namespace: the settings that it shares with the controller. */
export const SERVER_OWN_RULES: readonly Rule[] = [
  rule("", ["configmaps"], ["get"], ["workflow-controller-configmap"]),
];

/** The rights that logging in adds in the server's namespace: the key of sessions, the accounts of people and their tokens. */
export const SERVER_SSO_RULES: readonly Rule[] = [
  rule("", ["secrets"], ["create", "get"]),
  rule("", ["serviceaccounts"], ["list"]),
];

/** The rights that events add in a namespace: the senders of webhooks, their accounts and tokens, warnings on bindings. */
export const SERVER_EVENT_RULES: readonly Rule[] = [
  rule("", ["secrets"], ["get"]),
  rule("", ["serviceaccounts"], ["get"]),
  rule("", ["events"], ["create"]),
];

/** Requests by which a route is asked which rights it needs: what those depend on stands in the body. */
const SAMPLES = [
  {},
  ...["Workflow", "WorkflowTemplate", "ClusterWorkflowTemplate", "CronWorkflow"].map((resourceKind) => ({
    resourceKind,
    resourceName: "any",
    type: "CONFIGMAP",
  })),
];
const PARAMS = new Proxy<Record<string, string>>({}, { get: () => "any" });

/** All rights that a route may need. */
export function rightsOfRoute(route: Route): readonly Right[] {
  const asked = SAMPLES.flatMap((body) => {
    for (const query of [{}, { "logOptions.follow": true, "podLogOptions.follow": true }]) {
      try {
        return route.rights({ params: PARAMS, query, body, headers: new Headers() } as unknown as Call);
      } catch {
        // A route refuses a request that it cannot read; another sample is one that it can.
      }
    }
    return [];
  });
  return asked;
}

/** The rules that let somebody use routes, and nothing else. */
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

/** The rules that Kubernetes' roles for people get, by the names of these: our kinds are as their other objects to them. */
export function aggregatedRules(): ReadonlyMap<string, readonly Rule[]> {
  const resources = Object.values(KINDS).map(({ plural }) => plural).sort();
  const all = [...resources, ...resources.map((plural) => `${plural}/finalizers`)].sort();
  return new Map([
    ["view", [rule(GROUP, resources, READ)]],
    ["edit", [rule(GROUP, all, WRITE)]],
    ["admin", [rule(GROUP, all, WRITE)]],
  ]);
}
