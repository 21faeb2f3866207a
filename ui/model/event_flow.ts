/**
 * The event flow as a graph: event sources, sensors and bindings, their triggers, and the runs that these started.
 * Pure.
 */
import type { Workflow } from "@tiphys/model/api";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { EventEntry, EventList, EventObject } from "../api/source.ts";
import { summaryOf } from "./event_objects.ts";
import { layLayered } from "./graph/layered.ts";
import { lookOfRun, type PhaseLook } from "./phase.ts";
import type { PageAddress } from "./place.ts";
import * as words from "./text/en/events.ts";

/** Labels of runs that name the object which created them. */
const SENSOR = "events.argoproj.io/sensor";
const TRIGGER = "events.argoproj.io/trigger";
const BINDING = "workflows.argoproj.io/workflow-event-binding";
/** Label requirements that select runs started by sensors, and by bindings. */
export const SENSOR_RUNS_SELECTOR = SENSOR;
export const BINDING_RUNS_SELECTOR = BINDING;

/** The objects and runs of a flow. */
export interface FlowFacts {
  readonly sources: readonly EventObject[];
  readonly sensors: readonly EventObject[];
  readonly bindings: readonly EventObject[];
  /** Newest first. */
  readonly runs: readonly Workflow[];
}

/** The selected content of the flow. */
export interface FlowChoice {
  readonly hasRuns: boolean;
  /** Show all runs rather than the newest of each trigger. */
  readonly isExpanded: boolean;
}

/** Kinds of nodes. */
export type FlowKind = "event" | "sensor" | "condition" | "trigger" | "binding" | "run" | "more";

/** One node of a flow. */
export interface FlowNode {
  /** The name in an address: `NAMESPACE/Type/NAME/PART`. */
  readonly key: string;
  readonly kind: FlowKind;
  readonly label: string;
  readonly secondLine: string;
  /** The object that the node stands for or is a part of; undefined for runs, and for references to missing objects. */
  readonly object?: { readonly list: EventList; readonly object: EventObject } | undefined;
  /** The name of an event or a trigger in logs. */
  readonly part?: string;
  /** The page of the run, or of the other runs. */
  readonly place?: PageAddress;
  readonly look?: PhaseLook;
}

/** An edge, by the indexes of its ends. It is highlighted when one of its keys is. */
export interface FlowEdge {
  readonly from: number;
  readonly to: number;
  readonly highlightKeys: readonly string[];
}

/** A flow. */
export interface EventFlow {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
}

const SHOWN_RUNS = 2;
/** The time for which a run counts as new after its creation, in seconds. */
const NEW_SECONDS = 10;

/** Builds the flow of one namespace or of all. */
export function flowOf({ sources, sensors, bindings, runs }: FlowFacts, choice: FlowChoice): EventFlow {
  const nodes: FlowNode[] = [];
  const edges: FlowEdge[] = [];
  const places = new Map<string, number>();
  const add = (node: FlowNode) => {
    const known = places.get(node.key);
    if (known !== undefined) return known;
    places.set(node.key, nodes.length);
    return nodes.push(node) - 1;
  };
  const join = (from: number, to: number, ...highlightKeys: readonly string[]) =>
    void edges.push({ from, to, highlightKeys });
  for (const object of sources) {
    for (const cause of summaryOf("event-sources", object).causes) {
      const [type = "", event = ""] = splitOnce(cause, ": ");
      add(eventNode(object.metadata.namespace, object.metadata.name, event, type, object));
    }
  }
  for (const object of sensors) {
    const { name, namespace } = object.metadata;
    const about = { list: "sensors", object } as const;
    const spec = fieldsOf(object.whole.spec);
    const sensor = add({
      key: keyOf(namespace, "Sensor", name),
      kind: "sensor",
      label: name,
      secondLine: words.sensor,
      object: about,
    });
    for (const dependency of listIn(spec.dependencies)) {
      const event = add(eventNode(namespace, textIn(dependency.eventSourceName), textIn(dependency.eventName)));
      join(event, sensor, nodes[event]!.key);
    }
    const effects = summaryOf("sensors", object).effects;
    for (const [index, trigger] of listIn(spec.triggers).entries()) {
      const template = fieldsOf(trigger.template);
      const part = textIn(template.name);
      const key = keyOf(namespace, "Trigger", name, part);
      const conditions = textIn(template.conditions);
      const leads = effects[index]?.template;
      const node = add({
        key,
        kind: "trigger",
        label: part,
        secondLine: leads ? words.submits(leads.name) : effects[index]?.words.slice(part.length + 2, -1) ?? "",
        object: about,
        part,
      });
      if (conditions === "") join(sensor, node, key);
      else {
        const condition = keyOf(namespace, "Condition", name, part);
        const before = add({
          key: condition,
          kind: "condition",
          label: conditions,
          secondLine: words.condition,
          object: about,
        });
        join(sensor, before, key);
        join(before, node, key);
      }
      addRuns(node, namespace, [`${SENSOR}=${name}`, `${TRIGGER}=${part}`]);
    }
  }
  for (const object of bindings) {
    const { name, namespace } = object.metadata;
    const { causes, effects } = summaryOf("workflow-event-bindings", object);
    const about = { list: "workflow-event-bindings", object } as const;
    const posted = add({
      key: keyOf(namespace, "Event", name),
      kind: "event",
      label: causes[0] ?? words.anyEvent,
      secondLine: words.postedToApi,
      object: about,
    });
    const key = keyOf(namespace, "WorkflowEventBinding", name);
    const binding = add({ key, kind: "binding", label: name, secondLine: effects[0]?.words ?? "", object: about });
    join(posted, binding, key);
    addRuns(binding, namespace, [`${BINDING}=${name}`]);
  }
  return { nodes, edges };

  function addRuns(from: number, namespace: string, labels: readonly string[]): void {
    if (!choice.hasRuns) return;
    const pairs = labels.map((label) => splitOnce(label, "="));
    const own = runs.filter(({ metadata }) =>
      metadata.namespace === namespace && pairs.every(([name = "", value]) => metadata.labels?.[name] === value)
    );
    const shown = choice.isExpanded ? own : own.slice(0, SHOWN_RUNS);
    for (const run of shown) {
      const { name = "", uid } = run.metadata;
      const key = keyOf(namespace, "Workflow", name);
      const place: PageAddress = { page: { kind: "run", namespace, name }, query: uid ? [["uid", uid]] : [] };
      join(from, add({ key, kind: "run", label: name, secondLine: "", place, look: lookOfRun(run) }), key);
    }
    const more = own.length - shown.length;
    if (more === 0) return;
    const place: PageAddress = {
      page: { kind: "runs", namespace },
      query: labels.map((label) => ["label", label] as const),
    };
    const key = `${nodes[from]!.key}/more`;
    join(from, add({ key, kind: "more", label: words.moreRuns(more), secondLine: "", place }));
  }
}

/** Returns the key that a log entry highlights: its event, or its trigger. */
export function keyLitBy({ list, namespace, name, part }: EventEntry): string | undefined {
  if (part === "") return undefined;
  return list === "sensors" ? keyOf(namespace, "Trigger", name, part) : keyOf(namespace, "EventSource", name, part);
}

/** Returns the keys of runs that were just created. */
export function newRuns(runs: readonly Workflow[], now: number): string[] {
  return runs.filter(({ metadata }) => now - Date.parse(metadata.creationTimestamp ?? "") < NEW_SECONDS * 1000)
    .map(({ metadata: { namespace = "", name = "" } }) => keyOf(namespace, "Workflow", name));
}

function eventNode(
  namespace: string,
  source: string,
  event: string,
  type?: string,
  object?: EventObject,
): FlowNode {
  return {
    key: keyOf(namespace, "EventSource", source, event),
    kind: "event",
    label: event,
    secondLine: object ? words.eventOf(type ?? "", source) : words.eventOfMissingSource(source),
    object: object && { list: "event-sources", object },
    part: event,
  };
}

function keyOf(...parts: readonly string[]): string {
  return parts.join("/");
}

function splitOnce(text: string, by: string): readonly string[] {
  const index = text.indexOf(by);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + by.length)];
}

function listIn(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The size of a node, in pixels. */
export const FLOW_NODE = { width: 184, height: 48 } as const;

/** A flow with its layout. */
export interface LaidFlow extends EventFlow {
  readonly width: number;
  readonly height: number;
  /** The upper left corner of each node. */
  readonly corners: readonly { readonly x: number; readonly y: number }[];
  /** The points of each edge, x and y alternating. */
  readonly lines: readonly (readonly number[])[];
}

/** Lays a flow out from left to right. */
export function layFlow(flow: EventFlow): LaidFlow {
  const { nodes, edges } = flow;
  const { x, y, width, height, bends } = layLayered({
    widths: new Float64Array(nodes.length).fill(FLOW_NODE.width),
    heights: new Float64Array(nodes.length).fill(FLOW_NODE.height),
    edges: Int32Array.from(edges.flatMap(({ from, to }) => [from, to])),
  });
  const middle = (index: number) => y[index]! + FLOW_NODE.height / 2;
  return {
    ...flow,
    width,
    height,
    corners: nodes.map((_, index) => ({ x: x[index]!, y: y[index]! })),
    lines: edges.map(({ from, to }, index) => [
      x[from]! + FLOW_NODE.width,
      middle(from),
      ...bends[index] ?? [],
      x[to]!,
      middle(to),
    ]),
  };
}
