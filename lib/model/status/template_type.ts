/** The type of a template, and whether a step or task is a loop. */
import type { Template } from "../api/mod.ts";

/**
 * The fields that determine the type of a template, in the order in which Argo checks them, with the type's name in
 * messages.
 */
const TITLES = {
  container: "Container",
  containerSet: "ContainerSet",
  steps: "Steps",
  dag: "DAG",
  script: "Script",
  resource: "Resource",
  data: "Data",
  suspend: "Suspend",
  http: "HTTP",
  plugin: "Plugin",
} as const;

/** The type of a template. */
export type TemplateType = keyof typeof TITLES;

const TYPES = Object.keys(TITLES) as readonly TemplateType[];

/** Returns the type of a template: the first of its fields for a type; undefined when it has no such field. */
export function templateType(template: Template): TemplateType | undefined {
  return TYPES.find((type) => isSet(template, type));
}

/** Returns all types that a template declares; a valid one declares exactly one. */
export function templateTypes(template: Template): TemplateType[] {
  return TYPES.filter((type) => isSet(template, type));
}

function isSet(template: Template, type: TemplateType): boolean {
  return template[type] !== undefined && template[type] !== null;
}

/** Returns the type's name in messages: `DAG`, `ContainerSet`. */
export function typeTitle(type: TemplateType): string {
  return TITLES[type];
}

/** Whether a field determines the type of a template. */
export function isTemplateType(field: string): field is TemplateType {
  return Object.hasOwn(TITLES, field);
}

/** The types of templates that run in a pod. */
export type PodTemplateType = "container" | "containerSet" | "script" | "resource" | "data";

const POD_TYPES: ReadonlySet<string | undefined> = new Set(
  ["container", "containerSet", "script", "resource", "data"] satisfies PodTemplateType[],
);

/** Whether templates of a type run in a pod. */
export function isPodType(type: TemplateType | undefined): type is PodTemplateType {
  return POD_TYPES.has(type);
}

/** Whether templates of a type do work themselves, in a pod or through the agent. */
export function isLeafType(type: TemplateType | undefined): boolean {
  return isPodType(type) || type === "http" || type === "plugin";
}

/** The loop fields of a step or task. */
export interface LoopFields {
  readonly withItems?: readonly unknown[];
  readonly withParam?: string;
  readonly withSequence?: unknown;
}

/** Whether a step or task is a loop, including one over an empty list. */
export function isLoop({ withItems, withParam, withSequence }: LoopFields): boolean {
  return Boolean(withItems || withParam || withSequence);
}
