/** Reads the stored templates that objects refer to, with any service. */
import { inTurns, type Stages } from "@tiphys/base/turns";
import { API_VERSION } from "@tiphys/model/api";
import { classifyError, type KubeObject } from "@tiphys/kube";
import type { Lintable, StoredObject, WorkflowService } from "./service.ts";

/** A reference to a stored template. */
export interface TemplateReference {
  readonly kind: "WorkflowTemplate" | "ClusterWorkflowTemplate";
  readonly name: string;
}

type Templates = Pick<WorkflowService, "templates" | "clusterTemplates">;

/** Maximum number of templates that are read one by one. If objects refer to more, all are listed. */
const MAX_SINGLE_READS = 50;
/** Valid names of objects. Other names, such as ones with tags, are not looked up. */
const NAME = /^[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?$/;

/** The number of lists and objects that are read in one stage. */
const READ_AT_ONCE = 1000;

/**
 * Returns the templates that objects of any kind refer to directly, without duplicates. Large objects are read in
 * stages.
 */
export async function templateReferences(...objects: readonly unknown[]): Promise<TemplateReference[]> {
  return await inTurns(referenceStages(objects), "references");
}

function* referenceStages(objects: readonly unknown[]): Stages<TemplateReference[]> {
  const found = new Map<string, TemplateReference>();
  const left: unknown[] = [...objects];
  for (let read = 1; left.length > 0; read++) {
    if (read % READ_AT_ONCE === 0) yield;
    const value = left.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) left.push(item);
      continue;
    }
    for (const field in value) {
      const entry: unknown = (value as Record<string, unknown>)[field];
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

/** Returns the stored templates that objects of a namespace refer to, directly or through each other. */
export async function referredTemplates(
  service: Templates,
  namespace: string,
  objects: readonly unknown[],
): Promise<KubeObject[]> {
  const found = new Map<string, KubeObject | undefined>();
  let named = await templateReferences(...objects);
  while (named.length > 0) {
    const wanted = new Map(named.map((reference) => [`${reference.kind}/${reference.name}`, reference]));
    const fresh = [...wanted].filter(([key]) => !found.has(key));
    if (found.size + fresh.length > MAX_SINGLE_READS) return await storedTemplates(service, namespace);
    const loaded = await Promise.all(fresh.map(([, reference]) => storedTemplate(service, namespace, reference)));
    fresh.forEach(([key], index) => found.set(key, loaded[index]));
    named = await templateReferences(...loaded);
  }
  return [...found.values()].filter((kubeObject) => kubeObject !== undefined);
}

/** Returns one template; undefined when it does not exist. */
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
    const sort = classifyError(error);
    if (sort === "notFound" || isShared && sort === "forbidden") return undefined;
    throw error;
  }
}

/** Returns the templates that objects of a namespace may refer to. */
export async function storedTemplates(
  service: Templates,
  namespace: string,
): Promise<KubeObject[]> {
  const [own, shared] = await Promise.all([
    service.templates.list(namespace),
    service.clusterTemplates.list(namespace).catch(emptyIfForbidden),
  ]);
  // Items of a list do not have a kind.
  const named = (items: readonly StoredObject[], kind: string) =>
    items.map((item) => ({ ...item, apiVersion: API_VERSION, kind }) as KubeObject);
  return [...named(own, "WorkflowTemplate"), ...named(shared, "ClusterWorkflowTemplate")];
}

/**
 * Returns an empty list if the caller may not read templates. A user with rights in one namespace cannot read cluster
 * templates.
 */
function emptyIfForbidden(error: unknown): StoredObject[] {
  if (classifyError(error) === "forbidden") return [];
  throw error;
}

/** Returns the name of an object for references: `WorkflowTemplate/shared`. */
export function referenceName({ kind, metadata }: Lintable): string {
  return `${kind}/${metadata.name}`;
}
