/** Workflows that a cluster goes on with as soon as it runs. */
import type { Workflow } from "../lib/api/mod.ts";
import { type KubeClient, WORKFLOWS } from "../lib/kube/mod.ts";
import { hasFinished } from "./follow_workflow.ts";

/** The names of those that have not ended, in all namespaces. */
export async function unfinishedWorkflows(client: KubeClient): Promise<string[]> {
  const { items } = await client.list<Workflow>(WORKFLOWS, undefined);
  return items.filter((workflow) => !hasFinished(workflow)).map(({ metadata }) => metadata.name ?? "");
}
