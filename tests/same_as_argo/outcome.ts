/** The outcome of a workflow: everything in its status that does not depend on time and machine. */
import type { Workflow } from "@tiphys/model/api";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Fields = { [key: string]: Json };

/** The fields that are omitted: times and places, and objects that are stored elsewhere. */
const OF_THE_MOMENT = new Set([
  "artifactGCStatus",
  "artifactRepositoryRef",
  "estimatedDuration",
  "finishedAt",
  "hostNodeName",
  "podIP",
  "startedAt",
  "storedTemplates",
  "storedWorkflowTemplateSpec",
]);

const TIME = /\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z| \d\d:\d\d:\d\d(?:\.\d+)? \+0000 UTC)/g;

/** The outcome of a workflow, in the form of a recording. */
export function outcomeOf({ metadata, status = {} }: Workflow): Fields {
  const { nodes = {}, conditions = [], ...rest } = JSON.parse(JSON.stringify(status)) as {
    nodes?: { [id: string]: Fields };
    conditions?: Fields[];
  } & Fields;
  const uid = metadata.uid ?? "";
  const named = Object.values(nodes).map((node): [string, Json] => [String(node.name), stableFields(node, uid)]);
  return withSortedKeys({
    labels: { ...metadata.labels },
    status: stableFields(rest, uid),
    conditions: Object.fromEntries(conditions.map((condition) => [String(condition.type), condition])),
    nodes: Object.fromEntries(named),
  }) as Fields;
}

/** The stable fields: without those that depend on time, with resources by name and children in order. */
function stableFields(fields: Fields, uid: string): Json {
  const kept = Object.entries(fields).filter(([key]) => !OF_THE_MOMENT.has(key)).map(([key, value]): [string, Json] => {
    if (key === "resourcesDuration") return [key, Object.keys(value as Fields).sort()];
    if (key === "children" || key === "outboundNodes") return [key, (value as string[]).toSorted()];
    if (key === "inputs") value = withFailuresInOrder(value as Inputs);
    return [key, JSON.parse(JSON.stringify(value).replaceAll(TIME, "<time>").replaceAll(uid || "<uid>", "<uid>"))];
  });
  return Object.fromEntries(kept);
}

type Inputs = { parameters?: { name: string; value?: string }[] } & Fields;

/** The failures of a workflow have no order: a parameter that contains them is sorted by name. */
function withFailuresInOrder({ parameters, ...rest }: Inputs): Json {
  const inOrder = parameters?.map(({ value, ...parameter }) => ({
    ...parameter,
    ...(value && { value: withSortedNames(value) }),
  }));
  return { ...rest, ...(inOrder && { parameters: inOrder }) };
}

function withSortedNames(text: string): string {
  let failures: Json;
  try {
    failures = JSON.parse(JSON.parse(text));
  } catch {
    return text;
  }
  if (!Array.isArray(failures)) return text;
  const nameOf = (node: Json) => isFields(node) ? String(node.displayName) : "";
  return JSON.stringify(JSON.stringify(failures.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))));
}

function withSortedKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, withSortedKeys(value[key] ?? null)]));
}

/** The differences between two outcomes, as `path: own …, Argo …`. */
export function differences(own: Json | undefined, argo: Json | undefined, path: string): string[] {
  if (JSON.stringify(own) === JSON.stringify(argo)) return [];
  if (isFields(own) && isFields(argo)) {
    const keys = [...new Set([...Object.keys(own), ...Object.keys(argo)])].sort();
    return keys.flatMap((key) => differences(own[key], argo[key], `${path}/${key}`));
  }
  return [`${path}: own ${JSON.stringify(own) ?? "absent"}, Argo ${JSON.stringify(argo) ?? "absent"}`];
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
