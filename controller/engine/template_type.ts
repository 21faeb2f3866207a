import type { Template } from "../../lib/api/mod.ts";

/** What a template does. */
export type TemplateType =
  | "container"
  | "containerSet"
  | "steps"
  | "dag"
  | "script"
  | "resource"
  | "data"
  | "suspend"
  | "http"
  | "plugin";

const ORDER: readonly TemplateType[] = [
  "container",
  "containerSet",
  "steps",
  "dag",
  "script",
  "resource",
  "data",
  "suspend",
  "http",
  "plugin",
];

/** The type of a template: the first of its blocks, in Argo's order; undefined when it has none. */
export function templateType(template: Template): TemplateType | undefined {
  return ORDER.find((type) => template[type] !== undefined && template[type] !== null);
}

/** The name of a block that makes a template what it is. */
export function isTemplateType(field: string): field is TemplateType {
  return (ORDER as readonly string[]).includes(field);
}

/** Templates that become a pod. */
export function isPodType(type: TemplateType | undefined): boolean {
  return type === "container" || type === "containerSet" || type === "script" || type === "resource" ||
    type === "data";
}
