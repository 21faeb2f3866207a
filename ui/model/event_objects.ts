/**
 * Objects that create runs from events, as lists show them: event bindings, and event sources and sensors of Argo
 * Events. Pure.
 */
import type { EventList, EventObject } from "../api/source.ts";
import { fieldsOf } from "@tiphys/base/fields_of";

/** The causes and effects of an object, as readable texts. */
export interface EventSummary {
  readonly causes: readonly string[];
  readonly effects: readonly EventEffect[];
}

/** An effect, with the template of the run that it creates, if any. */
export interface EventEffect {
  readonly words: string;
  readonly template?: { readonly name: string; readonly isCluster: boolean };
}

/** Returns the object that an address names as `NAMESPACE/NAME` or `NAME`. */
export function namedObject(
  objects: readonly EventObject[],
  text: string | undefined,
): { readonly name: string; readonly object: EventObject | undefined } | undefined {
  const [name, namespace] = (text ?? "").split("/").reverse();
  if (!name) return undefined;
  const object = objects.find(({ metadata }) =>
    metadata.name === name && (!namespace || metadata.namespace === namespace)
  );
  return { name, object };
}

/** Returns the names of an object's parts in logs: the events of a source, the triggers of a sensor. */
export function loggedParts(list: EventList, { whole }: EventObject): string[] {
  const spec = fieldsOf(whole.spec);
  if (list === "sensors") return listIn(spec.triggers).map((trigger) => textIn(fieldsOf(trigger.template).name));
  if (list === "workflow-event-bindings") return [];
  return Object.entries(spec).flatMap(([type, named]) => NOT_TYPES.has(type) ? [] : Object.keys(fieldsOf(named)));
}

/** Returns the events that an object waits for, and its actions. */
export function summaryOf(list: EventList, { whole }: EventObject): EventSummary {
  const spec = fieldsOf(whole.spec);
  switch (list) {
    case "workflow-event-bindings": {
      const selector = textIn(fieldsOf(spec.event).selector);
      const { name, clusterScope } = fieldsOf(fieldsOf(spec.submit).workflowTemplateRef);
      const template = textIn(name);
      return {
        causes: selector === "" ? [] : [selector],
        effects: template === ""
          ? []
          : [{ words: `submits ${template}`, template: { name: template, isCluster: clusterScope === true } }],
      };
    }
    case "event-sources":
      return {
        causes: Object.entries(spec).flatMap(([type, named]) =>
          NOT_TYPES.has(type) ? [] : Object.keys(fieldsOf(named)).map((name) => `${type}: ${name}`)
        ),
        effects: [],
      };
    case "sensors":
      return {
        causes: listIn(spec.dependencies).map((dependency) =>
          `${textIn(dependency.eventSourceName)} / ${textIn(dependency.eventName)}`
        ),
        effects: listIn(spec.triggers).map((trigger) => effectOf(fieldsOf(trigger.template))),
      };
  }
}

/** Fields of an event source that are not event types. */
const NOT_TYPES: ReadonlySet<string> = new Set(["eventBusName", "replicas", "template", "service"]);

function effectOf(template: Readonly<Record<string, unknown>>): EventEffect {
  const name = textIn(template.name);
  const kind = Object.keys(template).find((key) => key !== "name" && key !== "conditions") ?? "";
  const made = fieldsOf(fieldsOf(fieldsOf(fieldsOf(template[kind]).source).resource).spec);
  const ref = fieldsOf(made.workflowTemplateRef);
  const of = textIn(ref.name);
  const words = kind === "" ? name : `${name} (${kind})`;
  return of === "" ? { words } : { words, template: { name: of, isCluster: ref.clusterScope === true } };
}

function listIn(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}
