/** The templates that are stored, for objects to refer to. For any service. */
import { API_VERSION } from "../api/mod.ts";
import { type KubeObject, sortError } from "../kube/mod.ts";
import type { Lintable, Stored, WorkflowService } from "./service.ts";

/** The reference of an object to a template that is stored. */
export interface TemplateReference {
  readonly kind: "WorkflowTemplate" | "ClusterWorkflowTemplate";
  readonly name: string;
}

type Templates = Pick<WorkflowService, "templates" | "clusterTemplates">;

/** The most templates that are asked for one by one; where objects name more, all are listed at once. */
const MOST_SINGLE = 50;
/** The names that objects can have; what is none, as one with a tag in it, is not looked for. */
const NAME = /^[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?$/;

/** The templates that an object, of whatever kind, names itself: each once. */
export function templateReferences(object: unknown): TemplateReference[] {
  const found = new Map<string, TemplateReference>();
  const left: unknown[] = [object];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const [field, entry] of Object.entries(value)) {
      if (typeof entry !== "object" || entry === null) continue;
      left.push(entry);
      if (field !== "workflowTemplateRef" && field !== "templateRef") continue;
      const { name, clusterScope } = entry as { readonly name?: unknown; readonly clusterScope?: unknown };
      if (typeof name !== "string" || !NAME.test(name)) continue;
      const kind = clusterScope === true ? "ClusterWorkflowTemplate" : "WorkflowTemplate";
      found.set(`${kind}/${name}`, { kind, name });
    }
  }
  return [...found.values()];
}

/** The templates that are stored and that objects of a namespace refer to, also by way of each other. */
export async function referredTemplates(
  service: Templates,
  namespace: string,
  objects: readonly unknown[],
): Promise<KubeObject[]> {
  const found = new Map<string, KubeObject | undefined>();
  let named = objects.flatMap(templateReferences);
  while (named.length > 0) {
    const wanted = new Map(named.map((one) => [`${one.kind}/${one.name}`, one]));
    const fresh = [...wanted].filter(([key]) => !found.has(key));
    if (found.size + fresh.length > MOST_SINGLE) return await storedTemplates(service, namespace);
    const loaded = await Promise.all(fresh.map(([, reference]) => storedTemplate(service, namespace, reference)));
    fresh.forEach(([key], at) => found.set(key, loaded[at]));
    named = loaded.flatMap(templateReferences);
  }
  return [...found.values()].filter((one) => one !== undefined);
}

/** One template; undefined where there is none. */
async function storedTemplate(
  { templates, clusterTemplates }: Templates,
  namespace: string,
  { kind, name }: TemplateReference,
): Promise<KubeObject | undefined> {
  const isShared = kind === "ClusterWorkflowTemplate";
  try {
    const object = await (isShared ? clusterTemplates : templates).get(namespace, name);
    return { ...object, apiVersion: API_VERSION, kind } as KubeObject;
  } catch (error) {
    const sort = sortError(error);
    if (sort === "notFound" || isShared && sort === "forbidden") return undefined;
    throw error;
  }
}

/** The templates that objects of a namespace may refer to. */
export async function storedTemplates(
  service: Templates,
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
