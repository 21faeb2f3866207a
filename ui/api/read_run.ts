/**
 * Validates received runs, restricted to the fields that pages use: there may be tens of thousands of nodes.
 * Invalid fields are dropped; an invalid node is replaced by one with the error.
 */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { type Check, flag, listOf, METADATA, objectOf, readableMetadata, text } from "@tiphys/model/api/checks";
import { isObject } from "@tiphys/base/fields_of";
import { keepNodeList } from "./run_nodes.ts";

type Fields = Record<string, unknown>;

const NAMED = listOf(objectOf({ name: text }, "name"));
const VALUES = objectOf({ parameters: NAMED, artifacts: NAMED, result: text, exitCode: text });
const amounts = objectOf({});

const NODE = objectOf(
  {
    id: text,
    name: text,
    displayName: text,
    type: text,
    templateName: text,
    templateScope: text,
    templateRef: objectOf({ name: text, template: text }),
    phase: text,
    boundaryID: text,
    message: text,
    startedAt: text,
    finishedAt: text,
    progress: text,
    hostNodeName: text,
    resourcesDuration: amounts,
    nodeFlag: objectOf({ hooked: flag, retried: flag }),
    inputs: VALUES,
    outputs: VALUES,
    children: listOf(text),
    outboundNodes: listOf(text),
    memoizationStatus: objectOf({ key: text, cacheName: text, hit: flag }),
  },
  "id",
  "name",
  "type",
);

const STATUS: Readonly<Record<string, Check>> = {
  phase: text,
  message: text,
  startedAt: text,
  finishedAt: text,
  progress: text,
  resourcesDuration: amounts,
  conditions: listOf(objectOf({ type: text, status: text, message: text })),
  outputs: VALUES,
};

const SPEC: Readonly<Record<string, Check>> = {
  entrypoint: text,
  arguments: VALUES,
  templates: listOf(objectOf({
    name: text,
    dag: objectOf({ tasks: listOf(objectOf({ name: text, depends: text, dependencies: listOf(text) }, "name")) }),
    steps: listOf(listOf(objectOf({ name: text }))),
    inputs: VALUES,
    outputs: VALUES,
  })),
};

const checkMetadata = objectOf(METADATA);

/** A run before validation. */
interface UnvalidatedRun {
  readonly metadata: unknown;
  readonly spec: unknown;
  readonly status?: unknown;
}

/**
 * Validates a named run; each `yield` is a pause for other work. Unset times become absent instead of null. The caller
 * owns the object.
 */
export function* validateRun(value: Workflow): Generator<undefined, Workflow> {
  const { metadata, spec, status }: UnvalidatedRun = value;
  const { nodes, ...rest } = isObject(status) ? status : {};
  if (isObject(nodes)) yield* readNodes(nodes);
  return {
    ...value,
    metadata: checkMetadata(metadata) === undefined ? metadata : readableMetadata(value),
    spec: readableFields(spec, SPEC),
    status: { ...readableFields(rest, STATUS), ...(isObject(nodes) ? { nodes } : {}) },
  } as Workflow;
}

/** Returns an object without invalid fields. */
function readableFields(value: unknown, shape: Readonly<Record<string, Check>>): Fields {
  if (!isObject(value)) return {};
  for (const [name, check] of Object.entries(shape)) {
    if (value[name] !== undefined && check(value[name]) !== undefined) delete value[name];
  }
  return value;
}

/** The maximum number of nodes that are validated before yielding. */
const NODES_AT_ONCE = 500;

function* readNodes(nodes: Fields): Generator<undefined, void> {
  const list: NodeStatus[] = [];
  for (const key in nodes) {
    if (list.length % NODES_AT_ONCE === NODES_AT_ONCE - 1) yield;
    const node = nodes[key];
    // Nearly all nodes are plain, which is three times as fast to check.
    const problem = isObject(node) && isPlain(node) ? undefined : NODE(node);
    if (problem !== undefined) nodes[key] = unreadableNode(key, problem);
    list.push(nodes[key] as NodeStatus);
  }
  keepNodeList(nodes, list);
}

/** Reports whether a node needs no full validation. */
function isPlain(node: Fields): boolean {
  return typeof node.id === "string" && typeof node.name === "string" && typeof node.type === "string" &&
    isText(node.displayName) && isText(node.templateName) && isText(node.templateScope) && isText(node.phase) &&
    isText(node.boundaryID) && isText(node.message) && isText(node.startedAt) && isText(node.finishedAt) &&
    isText(node.progress) && isText(node.hostNodeName) && isStringArray(node.children) &&
    isStringArray(node.outboundNodes) &&
    (node.resourcesDuration === undefined || isObject(node.resourcesDuration)) &&
    node.templateRef === undefined && node.nodeFlag === undefined && node.memoizationStatus === undefined &&
    (node.inputs === undefined || VALUES(node.inputs) === undefined) &&
    (node.outputs === undefined || VALUES(node.outputs) === undefined);
}

const isText = (value: unknown): boolean => value === undefined || typeof value === "string";

function isStringArray(value: unknown): boolean {
  if (value === undefined) return true;
  if (!Array.isArray(value)) return false;
  for (const item of value) if (typeof item !== "string") return false;
  return true;
}

function unreadableNode(id: string, problem: string): NodeStatus {
  const message = `this node cannot be read: ${problem.replace(/^[.:] ?/, "")}`;
  return { id, name: id, displayName: id, type: "Pod", phase: "Error", message };
}
