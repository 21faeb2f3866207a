/** The pods of workflows that run with our executor. An earlier controller handles some of them differently. */
import * as z from "zod";
import { AGENT_COMPONENT, LABEL } from "@tiphys/base/constants";
import { type KubeClient, PODS } from "@tiphys/kube";
import { executorImageOf } from "../controller_setup.ts";
import type { InstalledProgram } from "../deployments.ts";

/** The pods in flight of an executor, as `NAMESPACE/NAME`. */
export interface PodsInFlight {
  /** Agents, which run HTTP and plugin templates. Another controller does not read their results. */
  readonly agents: readonly string[];
  /** All others. They also complete under another controller. */
  readonly others: readonly string[];
}

const Container = z.object({ image: z.string().optional() });
const Pod = z.object({
  metadata: z.object({
    name: z.string(),
    namespace: z.string().default(""),
    labels: z.record(z.string(), z.string()).default({}),
  }),
  spec: z.object({
    containers: z.array(Container),
    initContainers: z.array(Container).default([]),
    volumes: z.array(z.object({ image: z.object({ reference: z.string().optional() }).optional() })).default([]),
  }),
  status: z.object({ phase: z.string().optional() }).optional(),
});

const PAGE_SIZE = 500;

/** Lists the pods in flight with the executor image that a controller is configured with, in one namespace or all. */
export async function podsInFlight(
  client: KubeClient,
  controller: InstalledProgram,
  namespace: string | undefined,
): Promise<PodsInFlight> {
  const found: { agents: string[]; others: string[] } = { agents: [], others: [] };
  const image = executorImageOf(controller);
  if (image === undefined) return found;
  let next: string | undefined;
  do {
    const labelSelector = `${LABEL.workflow},${LABEL.completed}=false`;
    const page = await client.list(PODS, namespace, { labelSelector, limit: PAGE_SIZE, continue: next });
    for (const item of page.items) {
      const { data: pod } = Pod.safeParse(item);
      if (!pod || ["Succeeded", "Failed"].includes(pod.status?.phase ?? "") || !imagesIn(pod).includes(image)) continue;
      const isAgent = pod.metadata.labels[LABEL.component] === AGENT_COMPONENT;
      (isAgent ? found.agents : found.others).push(`${pod.metadata.namespace}/${pod.metadata.name}`);
    }
    next = page.metadata.continue;
  } while (next);
  return found;
}

function imagesIn({ spec }: z.infer<typeof Pod>): (string | undefined)[] {
  const { containers, initContainers, volumes } = spec;
  return [
    ...[...containers, ...initContainers].map(({ image }) => image),
    ...volumes.map((volume) => volume.image?.reference),
  ];
}
