/** All reading of a pass, in one place: the facts about one workflow, as plain data. */
import type { Pod, Workflow, WorkflowTaskResult } from "../../lib/api/mod.ts";
import { ANNOTATION, LABEL } from "../../lib/constants.ts";
import { nodeID } from "../../lib/template/mod.ts";
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
  const pods = new Map<string, Pod>();
  for (const pod of ledger.podsOf(key)) {
    if (pod.metadata.labels?.[LABEL.component] !== undefined || !isOwned(pod, workflow)) continue;
    const annotations = pod.metadata.annotations;
    const id = annotations?.[ANNOTATION.nodeId] ?? nodeID(name!, annotations?.[ANNOTATION.nodeName] ?? "");
    pods.set(id, pod);
  }
  const taskResults = new Map<string, WorkflowTaskResult>();
  for (const result of caches.taskResultsOf(key)) {
    if (isOwned(result, workflow)) taskResults.set(result.metadata.name!, result);
  }
  return {
    pods,
    podRoom: ledger.podRoom(key),
    taskResults,
    claims: record.claims,
    refusals: record.refusals,
    mayStart,
    workflowTemplate: (template) => caches.workflowTemplates.get(`${namespace}/${template}`),
    clusterWorkflowTemplate: (template) => caches.clusterWorkflowTemplates?.get(template),
    configMap: (configMap) => caches.configMaps.get(`${namespace}/${configMap}`),
    serviceAccount: (account) => caches.serviceAccounts?.get(`${namespace}/${account}`),
  };
}

/** Names come back: an object of an earlier workflow of this name is not ours. */
function isOwned(object: Pod | WorkflowTaskResult, workflow: Workflow): boolean {
  const owners = object.metadata.ownerReferences ?? [];
  const owner = owners.find(({ kind }) => kind === "Workflow");
  return owner === undefined || owner.uid === workflow.metadata.uid;
}
