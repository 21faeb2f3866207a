/** The type of a template, and whether a step or task is a loop. */
import type { Template } from "../api/mod.ts";

/** The fields of which a template has exactly one, in the order in which Argo looks at them, and the type as messages name it. */
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

/** The type of a template: the first of its fields that says one; undefined when it has none. */
export function templateType(template: Template): TemplateType | undefined {
  return TYPES.find((type) => isSet(template, type));
}

/** All types that a template declares; a good one declares one. */
export function templateTypes(template: Template): TemplateType[] {
  return TYPES.filter((type) => isSet(template, type));
}

function isSet(template: Template, type: TemplateType): boolean {
  return template[type] !== undefined && template[type] !== null;
}

/** The type as messages name it: `DAG`, `ContainerSet`. */
export function typeTitle(type: TemplateType): string {
  return TITLES[type];
}

/** Whether a field of a template makes it what it is. */
export function isTemplateType(field: string): field is TemplateType {
  return Object.hasOwn(TITLES, field);
}

/** The types of templates that become a pod. */
export type PodTemplateType = "container" | "containerSet" | "script" | "resource" | "data";

const POD_TYPES: ReadonlySet<string | undefined> = new Set(
  ["container", "containerSet", "script", "resource", "data"] satisfies PodTemplateType[],
);

/** Whether templates of a type become a pod. */
export function isPodType(type: TemplateType | undefined): type is PodTemplateType {
  return POD_TYPES.has(type);
}

/** Whether templates of a type do work themselves, in a pod or through the agent. */
export function isLeafType(type: TemplateType | undefined): boolean {
  return isPodType(type) || type === "http" || type === "plugin";
}

/** The fields of a step or task about its loop. */
export interface LoopFields {
  readonly withItems?: readonly unknown[];
  readonly withParam?: string;
  readonly withSequence?: unknown;
}

/** Whether a step or task is a loop, be it over an empty list. */
export function isLoop({ withItems, withParam, withSequence }: LoopFields): boolean {
  return Boolean(withItems || withParam || withSequence);
}
