/** A hostile case: objects that somebody writes into the cluster, and what must come of them. */
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

/** An object that is written, and where. */
export interface Written {
  readonly resource: Resource;
  readonly object: Fields & { readonly metadata: Fields };
  /** The controller reads these fields instead of the object's own, as from a cluster with minimal CRDs. */
  readonly asIs?: Fields;
}

/** Fields of any shape. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * The required outcome of a case. `refused`: the API server does not take it. `ends`: the workflow `hostile` ends in
 * one of the phases, and it or one of its nodes says why. `stays`: nothing comes of it that harms anybody; the canary
 * is the test.
 */
export type Outcome =
  | { readonly kind: "refused"; readonly message: RegExp }
  | { readonly kind: "ends"; readonly phases: readonly string[]; readonly message?: RegExp }
  | { readonly kind: "stays" };

/** A case. */
export interface HostileCase {
  readonly name: string;
  /** Made when the case is run, in the order in which it is written. */
  readonly make: () => readonly Written[] | Promise<readonly Written[]>;
  readonly outcome: Outcome;
  /** Settings of the engine, where not those of the table. */
  readonly settings?: Settings;
}

/** The workflow of a case. */
export const HOSTILE = "hostile";

/** The workflow succeeds. */
export const SUCCEEDS: Outcome = { kind: "ends", phases: ["Succeeded"] };
/** The workflow ends, in whatever phase. */
export const ENDS: Outcome = { kind: "ends", phases: ["Succeeded", "Failed", "Error"] };
/** The object is there, and harms nobody. */
export const STAYS: Outcome = { kind: "stays" };

/** The workflow ends in one of the phases, Failed or Error where none is named, and says why. */
export function fails(message: RegExp, ...phases: string[]): Outcome {
  return { kind: "ends", phases: phases.length ? phases : ["Failed", "Error"], message };
}

/** The API server does not take the object. */
export function refused(message: RegExp): Outcome {
  return { kind: "refused", message };
}

/** A case of one workflow with this spec. */
export function ofSpec(name: string, outcome: Outcome, spec: () => Fields, settings?: Settings): HostileCase {
  return { name, outcome, make: () => [workflow({ spec: spec() })], settings };
}

/** A case of one workflow with these templates, the first of which is the entry. */
export function ofTemplates(
  name: string,
  outcome: Outcome,
  templates: () => readonly Fields[],
  settings?: Settings,
): HostileCase {
  return ofSpec(name, outcome, () => ({ entrypoint: "main", templates: templates() }), settings);
}

/** The hostile workflow. */
export function workflow({ metadata, asIs, ...fields }: Fields & { asIs?: Fields; metadata?: Fields }): Written {
  return {
    resource: WORKFLOWS,
    asIs,
    object: { apiVersion: API_VERSION, kind: "Workflow", metadata: { name: HOSTILE, ...metadata }, ...fields },
  };
}

/** The hostile workflow, of which the controller reads these fields. */
export function workflowAsIs(asIs: Fields): Written {
  return workflow({ spec: { entrypoint: "main", templates: [SAY] }, asIs });
}

/** A WorkflowTemplate, of which the controller may read other fields. */
export function template(spec: Fields, asIs?: Fields): Written {
  const object = { apiVersion: API_VERSION, kind: "WorkflowTemplate", metadata: { name: "template" }, spec };
  return { resource: WORKFLOW_TEMPLATES, object, asIs };
}

/** A ClusterWorkflowTemplate, of which the controller may read other fields. */
export function clusterTemplate(spec: Fields, asIs?: Fields): Written {
  const object = { apiVersion: API_VERSION, kind: "ClusterWorkflowTemplate", metadata: { name: "template" }, spec };
  return { resource: CLUSTER_WORKFLOW_TEMPLATES, object, asIs };
}

/** A report of an executor, or of somebody who says to be one. */
export function taskResult(metadata: Fields, fields: Fields, asIs?: Fields): Written {
  const object = { apiVersion: API_VERSION, kind: "WorkflowTaskResult", metadata, ...fields };
  return { resource: WORKFLOW_TASK_RESULTS, object, asIs };
}

/** A pod that somebody made. */
export function pod(metadata: Fields, fields: Fields = {}, asIs?: Fields): Written {
  const spec = { containers: [{ name: "main", image: "busybox" }] };
  return { resource: PODS, object: { apiVersion: "v1", kind: "Pod", metadata, spec, ...fields }, asIs };
}

/** A ConfigMap. */
export function configMap(metadata: Fields, data: Fields): Written {
  return { resource: CONFIGMAPS, object: { apiVersion: "v1", kind: "ConfigMap", metadata, data } };
}

/** A template that runs one pod. */
export const SAY = { name: "say", container: { image: "busybox", command: ["echo"] } };
/** A template that needs no pod. */
export const NOTHING = { name: "nothing", suspend: { duration: "0s" } };
/** A template that runs one pod and takes a parameter. */
export const SAY_IT = {
  name: "say-it",
  inputs: { parameters: [{ name: "p" }] },
  container: { image: "busybox", command: ["echo", "{{inputs.parameters.p}}"] },
};

/** Arguments of one parameter `p`. */
export function argument(value: unknown): Fields {
  return { parameters: [{ name: "p", value }] };
}

/** A list of `count` things, each made from its number. */
export function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Lists and objects in each other, so many. */
export function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
}
