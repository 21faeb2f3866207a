/** Selects workflows with any service: all results of a query, the newest one, unfinished ones. */
import type { Workflow } from "@tiphys/model/api";
import { hasFinished } from "@tiphys/model/status";
import { ActionError } from "@tiphys/engine/workflow_actions";
import type { WorkflowQuery, WorkflowService } from "./service.ts";

const PAGE_SIZE = 500;

/** The name that refers to the most recently created workflow. */
export const LATEST = "@latest";

/**
 * Lists all workflows of a namespace, or of all namespaces, page by page: running ones first, then the most recently
 * finished.
 */
export async function listAll(
  service: WorkflowService,
  namespace: string | undefined,
  query: WorkflowQuery = {},
  pageSize = PAGE_SIZE,
): Promise<Workflow[]> {
  const found: Workflow[] = [];
  let next: string | undefined;
  do {
    const page = await service.list(namespace, { ...query, limit: pageSize, continue: next });
    for (const workflow of page.items) found.push(workflow);
    next = page.continue;
  } while (next);
  return found.sort(compareWorkflows);
}

/**
 * Returns the name of a workflow; `@latest` is the most recently created one.
 * @throws {ActionError} when there are no workflows.
 */
export async function resolveName(service: WorkflowService, namespace: string, name: string): Promise<string> {
  if (name !== LATEST) return name;
  const items = await listAll(service, namespace);
  const created = ({ metadata }: Workflow) => Date.parse(metadata.creationTimestamp ?? "") || 0;
  const version = ({ metadata }: Workflow) => Number(metadata.resourceVersion ?? 0);
  const [latest] = items.sort((a, b) => created(b) - created(a) || version(b) - version(a));
  if (!latest) throw new ActionError("No workflows found");
  return latest.metadata.name ?? "";
}

/** Returns the names of the unfinished workflows in all namespaces. A cluster resumes them when it starts. */
export async function unfinishedWorkflows(service: WorkflowService): Promise<string[]> {
  const names: string[] = [];
  let next: string | undefined;
  do {
    const page = await service.list(undefined, { limit: PAGE_SIZE, continue: next });
    for (const workflow of page.items) if (!hasFinished(workflow)) names.push(workflow.metadata.name ?? "");
    next = page.continue;
  } while (next);
  return names;
}

function compareWorkflows(a: Workflow, b: Workflow): number {
  const end = ({ status }: Workflow) => status?.finishedAt ? Date.parse(status.finishedAt) : Infinity;
  const start = ({ status, metadata }: Workflow) =>
    Date.parse(status?.startedAt ?? metadata.creationTimestamp ?? "") || 0;
  return end(a) === end(b) ? start(b) - start(a) : end(b) - end(a);
}
