/** The templates that are stored, for objects to refer to. For any service. */
import { API_VERSION } from "../api/mod.ts";
import { type KubeObject, sortError } from "../kube/mod.ts";
import type { Lintable, Stored, WorkflowService } from "./service.ts";

/** The templates that objects of a namespace may refer to. */
export async function storedTemplates(
  service: Pick<WorkflowService, "templates" | "clusterTemplates">,
  namespace: string,
): Promise<KubeObject[]> {
  const [own, shared] = await Promise.all([
    service.templates.list(namespace),
    service.clusterTemplates.list(namespace).catch(noneWhereForbidden),
  ]);
  // Items of a list do not say what they are.
  const named = (items: readonly Stored[], kind: string) =>
    items.map((item) => ({ ...item, apiVersion: API_VERSION, kind }) as KubeObject);
  return [...named(own, "WorkflowTemplate"), ...named(shared, "ClusterWorkflowTemplate")];
}

/** No templates, for a caller who may not read them: one with rights in a namespace only sees none of the cluster. */
function noneWhereForbidden(error: unknown): Stored[] {
  if (sortError(error) === "forbidden") return [];
  throw error;
}

/** The name of an object among those that may be referred to: `WorkflowTemplate/shared`. */
export function referenceName({ kind, metadata }: Lintable): string {
  return `${kind}/${metadata.name}`;
}
