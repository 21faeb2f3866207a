/**
 * Lists of workflows of a cluster. Kubernetes applies the selectors that it supports, this file the other conditions.
 */
import type { Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import type { KubeClient } from "@tiphys/kube";
import type { WatchEvent } from "@tiphys/kube/informers";
import { withNodesInList } from "@tiphys/model/nodes";
import type { Cluster } from "./change.ts";
import type { PageQuery, WorkflowPage, WorkflowQuery } from "./service.ts";
import { storedWorkflows } from "./stored_objects.ts";

/** Returns one page of a namespace, or of all namespaces. */
export async function listPage(
  client: KubeClient,
  namespace: string | undefined,
  query: PageQuery,
): Promise<WorkflowPage> {
  const { items, metadata } = await storedWorkflows(client).list(namespace, {
    ...selectorsOf(query),
    limit: query.limit,
    continue: query.continue,
  });
  const found = items.filter((workflow) => meetsConditions(workflow, query));
  return { items: found, ...(metadata.continue ? { continue: metadata.continue } : {}) };
}

/** Page size for reading all workflows. */
const PAGE_SIZE = 500;

/**
 * Yields the existing workflows, page by page, as ADDED, then their changes. A workflow that cannot be parsed, or whose
 * nodes are unavailable, has a message about that.
 * @throws {KubeError} when the request is rejected, and 410 when a page token has expired.
 */
export async function* watchWorkflows(
  { client, offloaded }: Cluster,
  namespace: string | undefined,
  query: WorkflowQuery,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent<Workflow>> {
  const workflows = storedWorkflows(client);
  const selectors = selectorsOf(query);
  let resourceVersion: string | undefined;
  let next: string | undefined;
  do {
    const page = { ...selectors, limit: PAGE_SIZE, continue: next };
    const { items, metadata } = await workflows.list(namespace, page, signal);
    for (const item of items) {
      if (meetsConditions(item, query)) yield { type: "ADDED", object: await withNodesInList(item, offloaded) };
    }
    resourceVersion = metadata.resourceVersion;
    next = metadata.continue;
  } while (next);
  const from = { ...selectors, resourceVersion };
  for await (const { type, object } of workflows.watch(namespace, from, signal)) {
    if (meetsConditions(object, query)) yield { type, object: await withNodesInList(object, offloaded) };
  }
}

/** Returns the Kubernetes selectors that cover as much of a query as possible. */
export function selectorsOf(query: WorkflowQuery) {
  const { labelSelector, phases, completed, resubmitted, fieldSelector } = query;
  const labels = [
    labelSelector,
    phases?.length && `${LABEL.phase} in (${phases.join(",")})`,
    completed === true && `${LABEL.completed}=true`,
    completed === false && `${LABEL.completed}!=true`,
    resubmitted && LABEL.resubmittedFrom,
  ].filter(Boolean).join(",");
  return { labelSelector: labels || undefined, fieldSelector };
}

/** Whether a workflow meets the conditions that Kubernetes cannot select by. */
export function meetsConditions(
  { metadata, status }: Workflow,
  { namePrefix, finishedBefore, createdAfter }: WorkflowQuery,
): boolean {
  if (namePrefix && !metadata.name?.startsWith(namePrefix)) return false;
  if (finishedBefore && !(Date.parse(status?.finishedAt ?? "") < finishedBefore.getTime())) return false;
  return !createdAfter || Date.parse(metadata.creationTimestamp ?? "") > createdAfter.getTime();
}
