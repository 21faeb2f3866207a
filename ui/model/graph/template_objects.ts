/** Manifests as input of graphs: their validated templates, and the objects that they refer to. Pure. */
import type { Template, WorkflowSpec } from "@tiphys/model/api";
import { type Check, flag, listOf, mapOf, objectOf, text } from "@tiphys/model/api/checks";
import { callsIn } from "@tiphys/model/templates";
import { fieldsOf } from "@tiphys/base/fields_of";
import { scopeOf } from "./planned.ts";

/** A manifest that has a graph. */
export interface DrawnManifest {
  readonly name: string;
  readonly spec: WorkflowSpec;
  /** The path to the workflow's spec. */
  readonly path: readonly string[];
}

/** The kinds with a graph, and the path to their workflow spec. */
const SPECS: Readonly<Record<string, readonly string[]>> = {
  Workflow: ["spec"],
  WorkflowTemplate: ["spec"],
  ClusterWorkflowTemplate: ["spec"],
  CronWorkflow: ["spec", "workflowSpec"],
};

/** Reports whether the kind of an object has a graph. */
export function hasGraph(object: unknown): boolean {
  const { kind } = fieldsOf(object);
  return typeof kind === "string" && Object.hasOwn(SPECS, kind);
}

const REF = objectOf({ name: text, template: text, clusterScope: flag });
const HOOKS = mapOf(objectOf({ template: text, templateRef: REF, expression: text }));
// The recursion into inline templates is limited by the nesting of the manifest, which the parser limits.
const inline: Check = (value) => TEMPLATE(value);
const CALL = {
  name: text,
  template: text,
  templateRef: REF,
  inline,
  hooks: HOOKS,
  onExit: text,
  when: text,
  depends: text,
  dependencies: listOf(text),
};
const CONTAINER = objectOf({
  name: text,
  image: text,
  command: listOf(text),
  args: listOf(text),
  source: text,
  env: listOf(objectOf({ name: text, value: text }, "name")),
});
const VALUES = objectOf({
  parameters: listOf(objectOf({ name: text }, "name")),
  artifacts: listOf(objectOf({ name: text }, "name")),
});
const TEMPLATE: Check = objectOf({
  name: text,
  container: CONTAINER,
  script: CONTAINER,
  containerSet: objectOf({ containers: listOf(CONTAINER) }),
  initContainers: listOf(CONTAINER),
  sidecars: listOf(CONTAINER),
  inputs: VALUES,
  outputs: VALUES,
  retryStrategy: objectOf({}),
  dag: objectOf({ tasks: listOf(objectOf(CALL, "name")) }, "tasks"),
  steps: listOf(listOf(objectOf(CALL))),
});
const SPEC = objectOf({
  entrypoint: text,
  onExit: text,
  hooks: HOOKS,
  templates: listOf(TEMPLATE),
  workflowTemplateRef: REF,
});

/** Validates a manifest, or returns why it has no graph. The caller owns the result. */
export function readDrawn(object: unknown): DrawnManifest | { readonly problem: string } {
  const { kind, metadata, ...rest } = fieldsOf(object);
  const path = typeof kind === "string" && Object.hasOwn(SPECS, kind) ? SPECS[kind]! : ["spec"];
  const spec = path.reduce<unknown>((value, field) => fieldsOf(value)[field], rest);
  const problem = SPEC(spec ?? {});
  if (problem !== undefined) return { problem: `${path.join(".")}${problem}` };
  const { name, generateName } = fieldsOf(metadata);
  const named = [name, generateName, kind].find((candidate) => typeof candidate === "string" && candidate !== "");
  return { name: String(named ?? ""), spec: (spec ?? {}) as WorkflowSpec, path };
}

/** Another object with templates. */
export interface ReferredObject {
  /** As in statuses: `namespaced/NAME`, `cluster/NAME`. */
  readonly scope: string;
  readonly name: string;
  readonly isCluster: boolean;
}

/** Other objects by scope: their spec, or why it is not known. */
export type KnownObjects = ReadonlyMap<string, WorkflowSpec | string>;

/** Returns the objects that a manifest refers to, directly and through known objects, without duplicates. */
export function referredObjects(spec: WorkflowSpec, objects: KnownObjects): ReferredObject[] {
  const found = new Map<string, ReferredObject>();
  const specs = [spec];
  for (let spec = specs.pop(); spec; spec = specs.pop()) {
    for (const { name = "", clusterScope = false } of refsIn(spec)) {
      const scope = scopeOf({ name, clusterScope });
      if (name === "" || found.has(scope)) continue;
      found.set(scope, { scope, name, isCluster: clusterScope });
      const there = objects.get(scope);
      if (typeof there === "object") specs.push(there);
    }
  }
  return [...found.values()];
}

interface Ref {
  readonly name?: string;
  readonly clusterScope?: boolean;
}

function* refsIn({ workflowTemplateRef, templates, hooks }: WorkflowSpec): Generator<Ref> {
  if (workflowTemplateRef) yield workflowTemplateRef;
  yield* hookRefs(hooks);
  const ahead: Template[] = [...templates ?? []];
  for (let template = ahead.pop(); template; template = ahead.pop()) {
    for (const call of callsIn(template)) {
      if (call.templateRef) yield call.templateRef;
      if (call.inline) ahead.push(call.inline);
      yield* hookRefs(call.hooks);
    }
  }
}

function* hookRefs(hooks: WorkflowSpec["hooks"]): Generator<Ref> {
  for (const { templateRef } of Object.values(hooks ?? {})) if (templateRef) yield templateRef;
}
