/** What kind of work a template does. */
import type { Template } from "../api/mod.ts";

/** The fields of which a template has exactly one, with the words messages use for them. */
const TYPES = {
  container: "Container",
  containerSet: "ContainerSet",
  steps: "Steps",
  script: "Script",
  resource: "Resource",
  dag: "DAG",
  suspend: "Suspend",
  data: "Data",
  http: "HTTP",
  plugin: "Plugin",
} as const;

/** A type of template, as messages name it. */
export type TemplateType = typeof TYPES[keyof typeof TYPES];

/** All types that a template declares; a good one declares one. */
export function typesOf(template: Template): TemplateType[] {
  const fields = Object.keys(TYPES) as (keyof typeof TYPES)[];
  return fields.filter((field) => template[field] !== undefined).map((field) => TYPES[field]);
}

const POD_TYPES: ReadonlySet<TemplateType> = new Set(["Container", "ContainerSet", "Script", "Resource", "Data"]);

/** Whether a template of this type runs in a pod of its own. */
export function isPodType(type: TemplateType): boolean {
  return POD_TYPES.has(type);
}

/** Whether a template of this type does work itself, in a pod or through the agent. */
export function isLeafType(type: TemplateType): boolean {
  return isPodType(type) || type === "HTTP" || type === "Plugin";
}

/** Whether a template yields a result and an exit code. */
export function hasOutput({ container, containerSet, script, data, http, plugin }: Template): boolean {
  return container !== undefined || script !== undefined || data !== undefined || http !== undefined ||
    plugin !== undefined || (containerSet?.containers.some(({ name }) => name === "main") ?? false);
}
