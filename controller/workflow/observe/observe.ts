/** All reads of a pass in one place: the facts about one workflow, as plain data. */
import { REPOSITORIES_CONFIG_MAP } from "@tiphys/base/constants";
import { isProblem } from "@tiphys/model/api";
import type { ObservedState } from "@tiphys/engine";
import type { KubeObject } from "@tiphys/kube";
import { agentFacts, type KnownAgent } from "./agent_facts.ts";
import type { Caches } from "./caches.ts";
import { garbageFacts, type KnownCollectors } from "./garbage_facts.ts";
import type { Ledger } from "./ledger.ts";
import type { Owner } from "./workflow_facts.ts";

/** The facts that are looked up in the middle of a pass, by name. */
export type NamedFact =
  | "workflowTemplate"
  | "clusterWorkflowTemplate"
  | "configMap"
  | "repositories"
  | "serviceAccount"
  /** The name of the fact is the value of a metric, and the result is the reason why it cannot be counted. */
  | "metricProblem";

/**
 * Gathers the facts about a workflow.
 * @param pluginNamespaces where plugins of agents are looked up; undefined if plugins are disabled.
 */
export function observe(
  caches: Caches,
  ledger: Ledger,
  outcomes:
    & Pick<ObservedState, "claims" | "budget" | "refusals" | "images" | "readConfigMaps" | "memos" | "outside">
    & KnownCollectors
    & KnownAgent,
  workflow: Owner & { readonly metadata: { readonly namespace?: string; readonly finalizers?: readonly string[] } },
  mayStart: boolean,
  pluginNamespaces?: readonly string[],
): ObservedState {
  const { namespace, name } = workflow.metadata;
  const key = `${namespace}/${name}`;
  const { pods, taskResults, changes, agent } = ledger.factsOf(key, workflow);
  return {
    pods,
    taskResults,
    changes,
    maxPodRequests: ledger.maxPodRequests(key),
    claims: outcomes.claims,
    budget: outcomes.budget,
    refusals: outcomes.refusals,
    ...(outcomes.images?.size && { images: outcomes.images }),
    readConfigMaps: outcomes.readConfigMaps,
    memos: outcomes.memos,
    outside: outcomes.outside,
    mayStart,
    agent: agentFacts(caches, outcomes, key, workflow, agent, pluginNamespaces),
    garbage: garbageFacts(caches, outcomes, key, workflow),
    workflowTemplate: (template) => caches.workflowTemplates.read(`${namespace}/${template}`),
    clusterWorkflowTemplate: (template) => caches.clusterWorkflowTemplates.read(template),
    configMap: (configMap) => caches.configMaps.read(`${namespace}/${configMap}`),
    repositories: () => caches.repositories.read(`${namespace}/${REPOSITORIES_CONFIG_MAP}`),
    serviceAccount(account) {
      const read = caches.serviceAccounts.read(`${namespace}/${account}`);
      return isProblem(read) ? undefined : read;
    },
  };
}

/** Returns a function that looks up a fact in the middle of a pass, and returns the object as it is in the cluster. */
export function rawFacts(
  caches: Caches,
  namespace: string,
  metricProblem: NonNullable<ObservedState["metricProblem"]>,
): (what: NamedFact, name: string) => KubeObject | undefined {
  return (what, name) => {
    switch (what) {
      case "metricProblem": {
        const problem = metricProblem(JSON.parse(name));
        return problem === undefined ? undefined : { metadata: { name: problem, resourceVersion: problem } };
      }
      case "workflowTemplate":
        return caches.workflowTemplates.get(`${namespace}/${name}`);
      case "clusterWorkflowTemplate":
        return caches.clusterWorkflowTemplates.get(name);
      case "configMap":
        return caches.configMaps.get(`${namespace}/${name}`);
      case "repositories":
        return caches.repositories.get(`${namespace}/${name}`);
      case "serviceAccount":
        return caches.serviceAccounts.get(`${namespace}/${name}`);
    }
  };
}
