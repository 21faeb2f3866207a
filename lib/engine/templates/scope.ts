/**
 * The values of references in a steps or DAG template: its inputs, and the outputs of completed steps or tasks.
 * Parameters and artifacts are separate, as artifacts never become text.
 */
import type { Artifact, NodeStatus, Outputs, Template } from "@tiphys/model/api";
import { nodeScope, type Value } from "@tiphys/language/template";
import { isSkippedOrOmitted, lastAttempt, withResultOfOriginalPod } from "@tiphys/model/status";
import type { Slice } from "../slice.ts";

/** The first part of a reference: `steps.x.…` or `tasks.x.…`. */
export type ReferenceRoot = "steps" | "tasks";

/** A scope. A value is null if its producer was skipped and declares no default. */
export class Scope {
  readonly values = new Map<string, string | null>();
  readonly artifacts = new Map<string, Artifact>();

  /** The globals and this scope in one map. The scope takes precedence. */
  withGlobals(globals: ReadonlyMap<string, string | null>): Map<string, string | null> {
    const all = new Map(globals);
    for (const [key, value] of this.values) all.set(key, value);
    return all;
  }

  /** Adds all entries of another scope. */
  add({ values, artifacts }: Scope): void {
    for (const [key, value] of values) this.values.set(key, value);
    for (const [key, artifact] of artifacts) this.artifacts.set(key, artifact);
  }

  /** Values and artifacts in one map, for expressions that may refer to both. */
  withArtifacts(): Map<string, Value> {
    const all = new Map<string, Value>(this.values);
    // deno-lint-ignore tiphys/no-double-cast -- an artifact is JSON, which the language reads unchanged
    for (const [key, artifact] of this.artifacts) all.set(key, artifact as unknown as Value);
    return all;
  }

  /** Returns a value if it is one of this scope's artifacts (the same object); otherwise undefined. */
  asArtifact(value: unknown): Artifact | undefined {
    for (const artifact of this.artifacts.values()) if (artifact === value) return artifact;
    return undefined;
  }
}

/** Returns a scope with a template's inputs and the workflow's outputs so far. */
export function newScope(pass: Slice, template: Template | undefined): Scope {
  const scope = new Scope();
  for (const { name, value } of template?.inputs?.parameters ?? []) {
    if (value !== undefined) scope.values.set(`inputs.parameters.${name}`, value);
  }
  for (const artifact of template?.inputs?.artifacts ?? []) {
    scope.artifacts.set(`inputs.artifacts.${artifact.name}`, artifact);
  }
  const outputs = pass.draft.workflow.status?.outputs;
  for (const { name, value } of outputs?.parameters ?? []) {
    if (value !== undefined) scope.values.set(`workflow.outputs.parameters.${name}`, value);
  }
  for (const artifact of outputs?.artifacts ?? []) {
    scope.artifacts.set(`workflow.outputs.artifacts.${artifact.name}`, artifact);
  }
  return scope;
}

/**
 * Adds the values and artifacts that a node provides for others. For a Retry node, they are those of its last attempt.
 */
export function addNodeOutputs(pass: Slice, scope: Scope, root: ReferenceRoot, name: string, holder: NodeStatus): void {
  // A Retry node whose outputs are from a cache has no attempts, and has the outputs itself.
  const node = withResultOfOriginalPod(
    lastAttempt(holder, pass.draft.nodes) ?? { ...withResultOfOriginalPod(holder), type: "Pod" },
  );
  const provided = nodeScope(`${root}.${name}`, node, pass.draft.nodes);
  for (const [key, value] of provided.values) scope.values.set(key, value);
  for (const [key, artifact] of provided.artifacts) scope.artifacts.set(key, artifact);
}

/** Adds the outputs of a node. */
export function addOutputs(scope: Scope, root: ReferenceRoot, name: string, outputs: Outputs | undefined): void {
  const prefix = `${root}.${name}`;
  if (outputs?.result !== undefined) scope.values.set(`${prefix}.outputs.result`, outputs.result);
  if (outputs?.exitCode !== undefined) scope.values.set(`${prefix}.exitCode`, outputs.exitCode);
  for (const { name: parameter, value } of outputs?.parameters ?? []) {
    if (value !== undefined) scope.values.set(`${prefix}.outputs.parameters.${parameter}`, value);
  }
  for (const artifact of outputs?.artifacts ?? []) {
    scope.artifacts.set(`${prefix}.outputs.artifacts.${artifact.name}`, artifact);
  }
}

/**
 * Adds the declared outputs of a node that was skipped or omitted: the declared default, otherwise null. For steps,
 * also adds an empty artifact for each declared one; a DAG leaves those unresolved.
 */
export function addSkippedOutputs(options: {
  readonly scope: Scope;
  readonly root: ReferenceRoot;
  readonly name: string;
  readonly node: NodeStatus;
  readonly template: Template;
}): void {
  const { scope, root, name, node, template } = options;
  if (node.outputs || !isSkippedOrOmitted(node.phase)) return;
  const prefix = `${root}.${name}.outputs`;
  addDefaults(scope, prefix, template);
  if (root === "steps") {
    for (const artifact of template.outputs?.artifacts ?? []) {
      scope.artifacts.set(`${prefix}.artifacts.${artifact.name}`, { name: "" });
    }
  }
  scope.values.set(`${prefix}.result`, null);
}

function addDefaults(scope: Scope, prefix: string, template: Template): void {
  for (const { name, valueFrom } of template.outputs?.parameters ?? []) {
    scope.values.set(`${prefix}.parameters.${name}`, valueFrom?.default ?? null);
  }
}

/** Adds the declared parameters of a loop whose calls were all skipped, and its result unless that is an empty list. */
export function addSkippedLoop(scope: Scope, root: ReferenceRoot, name: string, template: Template): void {
  const prefix = `${root}.${name}.outputs`;
  addDefaults(scope, prefix, template);
  if (!scope.values.has(`${prefix}.result`)) scope.values.set(`${prefix}.result`, null);
}
