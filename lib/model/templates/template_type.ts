/** The type of a template, and the properties of a type. */
import { type Runner, TEMPLATE_TYPES, type TemplateType, type TypesRunBy } from "../api/template_types.ts";

const TYPES = /* @__PURE__ */ Object.keys(TEMPLATE_TYPES) as readonly TemplateType[];

/** The fields of a template that determine its type. */
type TypeFields = { readonly [Type in TemplateType]?: unknown };

/** Returns the type of a template: the first of its fields for a type; undefined when it has no such field. */
export function templateType(template: TypeFields): TemplateType | undefined {
  return TYPES.find((type) => isSet(template, type));
}

/** Returns all types that a template declares; a valid one declares exactly one. */
export function templateTypes(template: TypeFields): TemplateType[] {
  return TYPES.filter((type) => isSet(template, type));
}

function isSet(template: TypeFields, type: TemplateType): boolean {
  return template[type] !== undefined && template[type] !== null;
}

/** Returns the type's name in messages: `DAG`, `ContainerSet`. */
export function typeTitle(type: TemplateType): string {
  return TEMPLATE_TYPES[type].title;
}

/** Whether a field determines the type of a template. */
export function isTemplateType(field: string): field is TemplateType {
  return Object.hasOwn(TEMPLATE_TYPES, field);
}

/** Whether templates of a type are run by one of these parts of the system. */
export function isRunBy<R extends Runner>(type: TemplateType | undefined, ...runners: R[]): type is TypesRunBy<R> {
  return type !== undefined && (runners as readonly Runner[]).includes(TEMPLATE_TYPES[type].runner);
}

/** The types of templates that run in a pod. */
export type PodTemplateType = TypesRunBy<"containers" | "executor">;

/** Whether templates of a type run in a pod. */
export function isPodType(type: TemplateType | undefined): type is PodTemplateType {
  return isRunBy(type, "containers", "executor");
}

/** Whether templates of a type do work themselves, in a pod or through the agent. */
export function isLeafType(type: TemplateType | undefined): boolean {
  return isRunBy(type, "containers", "executor", "agent");
}

/** Whether a template calls other templates. */
export function callsTemplates(template: TypeFields): boolean {
  return isRunBy(templateType(template), "calls");
}
