/** The final states of all workflows of a run. The suite deletes them, so they are watched and recorded. */
import type { Workflow } from "@tiphys/model/api";
import { KubeClient, type KubeObject, WORKFLOWS } from "@tiphys/kube";
import { connectTransport } from "@tiphys/kube/connections";
import { Informer } from "@tiphys/kube/informers";
import type { ClusterKind } from "./known_failures.ts";

const FOLDER = new URL("../../build/workflows/", import.meta.url).pathname;

/**
 * Records the workflows of a namespace from now on. Disposal writes the last state of each, in place of an earlier
 * run's.
 */
export async function recordWorkflows(
  place: ClusterKind,
  options: { readonly kubeconfig: string; readonly namespace: string },
): Promise<AsyncDisposable> {
  const client = new KubeClient(await connectTransport({ kubeconfig: options.kubeconfig }));
  const ending = new AbortController();
  const last = new Map<string, KubeObject>();
  const informer = new Informer<KubeObject>(client, WORKFLOWS, { namespace: options.namespace });
  informer.onChange((_type, workflow) => last.set(workflow.metadata.uid ?? "", workflow));
  await informer.start(ending.signal);
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      client.close();
      await Deno.mkdir(FOLDER, { recursive: true });
      await Deno.writeTextFile(fileOf(place), JSON.stringify([...last.values()], null, 1));
    },
  };
}

/** The workflows of the latest run in a place; undefined without a run. */
export async function readRecordedWorkflows(place: ClusterKind): Promise<Workflow[] | undefined> {
  try {
    return JSON.parse(await Deno.readTextFile(fileOf(place))) as Workflow[];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function fileOf(place: ClusterKind): string {
  return `${FOLDER}${place}.json`;
}
