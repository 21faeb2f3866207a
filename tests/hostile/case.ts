/** A hostile case: objects that an attacker writes to the cluster, and the required outcome. */
import type { ControllerOptions } from "../../controller/mod.ts";
import { API_VERSION } from "@tiphys/base/constants";
import {
  CLUSTER_WORKFLOW_TEMPLATES,
  CONFIGMAPS,
  PODS,
  type Resource,
  WORKFLOW_TASK_RESULTS,
  WORKFLOW_TEMPLATES,
  WORKFLOWS,
} from "@tiphys/kube";

/** Settings of the engine. */
export type Settings = Partial<ReturnType<ControllerOptions["config"]>>;

/** An object that is written, and its place. */
export interface HostileObject {
  readonly resource: Resource;
  readonly object: Fields & { readonly metadata: Fields };
  /** The fields that the controller reads instead of the object's own, as from a cluster with minimal CRDs. */
  readonly asIs?: Fields;
}

/** Fields of any shape. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * The required outcome of a case. `refused`: the API server refuses the object. `ends`: the workflow `hostile` ends in
 * one of the phases, and it or one of its nodes has the message. `stays`: the object has no harmful effect, as the
 * canary proves.
 */
export type Outcome =
  | { readonly kind: "refused"; readonly message: RegExp }
  | { readonly kind: "ends"; readonly phases: readonly string[]; readonly message?: RegExp }
  | { readonly kind: "stays" };

/** A case. */
export interface HostileCase {
  readonly name: string;
  /** Called when the case runs; objects are written in this order. */
  readonly make: () => readonly HostileObject[] | Promise<readonly HostileObject[]>;
  readonly outcome: Outcome;
  /** Settings of the engine, if they differ from those of the table. */
  readonly settings?: Settings;
}

/** The name of the workflow of a case. */
export const HOSTILE = "hostile";

/** The workflow succeeds. */
export const SUCCEEDS: Outcome = { kind: "ends", phases: ["Succeeded"] };
/** The workflow ends, in whatever phase. */
export const ENDS: Outcome = { kind: "ends", phases: ["Succeeded", "Failed", "Error"] };
/** The object exists, and does no harm. */
export const STAYS: Outcome = { kind: "stays" };

/** The workflow ends in one of the phases, by default Failed or Error, with the message. */
export function failsWith(message: RegExp, ...phases: string[]): Outcome {
  return { kind: "ends", phases: phases.length ? phases : ["Failed", "Error"], message };
}

/** The API server refuses the object. */
export function refused(message: RegExp): Outcome {
  return { kind: "refused", message };
}

/** A case of one workflow with this spec. */
export function caseOfSpec(name: string, outcome: Outcome, spec: () => Fields, settings?: Settings): HostileCase {
  return { name, outcome, make: () => [workflow({ spec: spec() })], settings };
}

/** A case of one workflow with these templates, the first of which is the entrypoint. */
export function caseOfTemplates(
  name: string,
  outcome: Outcome,
  templates: () => readonly Fields[],
  settings?: Settings,
): HostileCase {
  return caseOfSpec(name, outcome, () => ({ entrypoint: "main", templates: templates() }), settings);
}

/** The hostile workflow. */
export function workflow({ metadata, asIs, ...fields }: Fields & { asIs?: Fields; metadata?: Fields }): HostileObject {
  return {
    resource: WORKFLOWS,
    asIs,
    object: { apiVersion: API_VERSION, kind: "Workflow", metadata: { name: HOSTILE, ...metadata }, ...fields },
  };
}

/** The hostile workflow, as the controller reads it. */
export function workflowAsIs(asIs: Fields): HostileObject {
  return workflow({ spec: { entrypoint: "main", templates: [SAY] }, asIs });
}

/** A WorkflowTemplate, of which the controller may read other fields. */
export function template(spec: Fields, asIs?: Fields): HostileObject {
  const object = { apiVersion: API_VERSION, kind: "WorkflowTemplate", metadata: { name: "template" }, spec };
  return { resource: WORKFLOW_TEMPLATES, object, asIs };
}

/** A ClusterWorkflowTemplate, of which the controller may read other fields. */
export function clusterTemplate(spec: Fields, asIs?: Fields): HostileObject {
  const object = { apiVersion: API_VERSION, kind: "ClusterWorkflowTemplate", metadata: { name: "template" }, spec };
  return { resource: CLUSTER_WORKFLOW_TEMPLATES, object, asIs };
}

/** A report of an executor, or of an attacker. */
export function taskResult(metadata: Fields, fields: Fields, asIs?: Fields): HostileObject {
  const object = { apiVersion: API_VERSION, kind: "WorkflowTaskResult", metadata, ...fields };
  return { resource: WORKFLOW_TASK_RESULTS, object, asIs };
}

/** A pod that an attacker creates. */
export function pod(metadata: Fields, fields: Fields = {}, asIs?: Fields): HostileObject {
  const spec = { containers: [{ name: "main", image: "busybox" }] };
  return { resource: PODS, object: { apiVersion: "v1", kind: "Pod", metadata, spec, ...fields }, asIs };
}

/** A ConfigMap. */
export function configMap(metadata: Fields, data: Fields): HostileObject {
  return { resource: CONFIGMAPS, object: { apiVersion: "v1", kind: "ConfigMap", metadata, data } };
}

/** A template that runs one pod. */
export const SAY = { name: "say", container: { image: "busybox", command: ["echo"] } };
/** A template that needs no pod. */
export const NOTHING = { name: "nothing", suspend: { duration: "0s" } };
/** A template that runs one pod and has an input parameter. */
export const SAY_IT = {
  name: "say-it",
  inputs: { parameters: [{ name: "p" }] },
  container: { image: "busybox", command: ["echo", "{{inputs.parameters.p}}"] },
};

/** Arguments with one parameter `p`. */
export function argument(value: unknown): Fields {
  return { parameters: [{ name: "p", value }] };
}

/** A list of `count` items, each built from its index. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Lists and objects nested in each other, to this depth. */
export function nestedArrays(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
}
