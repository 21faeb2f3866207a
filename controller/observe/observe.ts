/** All reading of a pass, in one place: the facts about one workflow, as plain data. */
import type { Workflow } from "../../lib/api/mod.ts";
import type { Observed } from "../engine/mod.ts";
import type { Caches } from "./caches.ts";
import type { Ledger, WorkflowRecord } from "./ledger.ts";

/** Gathers the facts about a workflow. */
export function observe(
  caches: Caches,
  ledger: Ledger,
  record: WorkflowRecord,
  workflow: Workflow,
  mayStart: boolean,
): Observed {
  const { namespace, name } = workflow.metadata;
  const key = `${namespace}/${name}`;
  const { pods, taskResults, changes } = ledger.factsOf(key, record);
  return {
    pods,
    taskResults,
    changes,
    podRoom: ledger.podRoom(key),
    claims: record.claims,
    refusals: record.refusals,
    mayStart,
    workflowTemplate: (template) => caches.workflowTemplates.get(`${namespace}/${template}`),
    clusterWorkflowTemplate: (template) => caches.clusterWorkflowTemplates?.get(template),
    configMap: (configMap) => caches.configMaps.get(`${namespace}/${configMap}`),
    serviceAccount: (account) => caches.serviceAccounts?.get(`${namespace}/${account}`),
  };
}
