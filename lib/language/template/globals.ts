/** The values of `{{workflow.…}}` that are known from the workflow object alone. */
import { UserError } from "@tiphys/base/user_error";
import { ANNOTATION } from "@tiphys/base/constants";
import { formatTime, RFC3339 } from "@tiphys/base/go/layout";
import { parseTime } from "@tiphys/base/go/layout_parse";
import { marshalJson } from "@tiphys/base/go/json";
import { strftime, STRFTIME_LETTERS } from "@tiphys/base/go/strftime";
import type { GoTime } from "@tiphys/base/go/time";
import { GoZone } from "@tiphys/base/go/zone";
import type { ConfigMapKey, InputParameter } from "./arguments.ts";
import { TemplateError } from "./error.ts";
import { parametersJson } from "./parameter.ts";

type Texts = { readonly [key: string]: string };

/** The fields of a workflow that this module reads: its metadata, its effective spec, and its outputs so far. */
export interface WorkflowFacts {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly creationTimestamp?: string | null;
    readonly labels?: Texts;
    readonly annotations?: Texts;
  };
  readonly spec: {
    readonly entrypoint?: string;
    readonly serviceAccountName?: string;
    readonly priority?: number;
    readonly arguments?: { readonly parameters?: readonly InputParameter[] };
    readonly workflowMetadata?: {
      readonly labels?: Texts;
      readonly annotations?: Texts;
      readonly labelsFrom?: { readonly [label: string]: unknown };
    };
  };
  readonly status?: {
    readonly outputs?: { readonly parameters?: readonly { readonly name: string; readonly value?: string }[] };
  };
}

/** The lookups that globals may need besides the workflow's fields. */
export interface GlobalsContext {
  /** Returns the value of a ConfigMap key, or throws. */
  readonly configMapValue?: (key: Required<ConfigMapKey>) => string;
}

const YEAR_ONE = "0001-01-01T00:00:00Z";

/**
 * Returns all `workflow.…` names, except those that change while the workflow runs (`status`, `duration`, `failures`)
 * and the labels that `labelsFrom` computes from them.
 * @throws {TemplateError} when a parameter has no value.
 */
export function workflowGlobals(workflow: WorkflowFacts, context: GlobalsContext = {}): Map<string, string> {
  const { metadata, spec, status } = workflow;
  const globals = new Map<string, string>([
    ["workflow.name", metadata.name],
    ["workflow.namespace", metadata.namespace ?? ""],
    ["workflow.uid", metadata.uid ?? ""],
    ["workflow.mainEntrypoint", spec.entrypoint ?? ""],
    ["workflow.serviceAccountName", spec.serviceAccountName ?? ""],
  ]);
  for (const [name, text] of timeValues(metadata.creationTimestamp || YEAR_ONE)) globals.set(name, text);
  const scheduled = metadata.annotations?.[ANNOTATION.scheduledTime];
  if (scheduled !== undefined) globals.set("workflow.scheduledTime", scheduled);
  if (spec.priority !== undefined) globals.set("workflow.priority", String(spec.priority));

  const parameters = parametersJson(spec.arguments?.parameters);
  globals.set("workflow.parameters", parameters).set("workflow.parameters.json", parameters);
  for (const parameter of spec.arguments?.parameters ?? []) {
    globals.set(`workflow.parameters.${parameter.name}`, parameterValue(parameter, context));
  }
  for (const { name, value } of status?.outputs?.parameters ?? []) {
    if (value !== undefined) globals.set(`workflow.outputs.parameters.${name}`, value);
  }
  addMetadata(globals, "annotations", metadata.annotations, spec.workflowMetadata?.annotations);
  addMetadata(globals, "labels", metadata.labels, spec.workflowMetadata?.labels);
  // `labelsFrom` computes its labels from the other globals, which must not contain the values that it will replace.
  for (const label of Object.keys(spec.workflowMetadata?.labelsFrom ?? {})) globals.delete(`workflow.labels.${label}`);
  return globals;
}

/** Returns the names and texts of a timestamp. Cached, because every pass over a workflow needs them. */
function timeValues(timestamp: string): ReadonlyMap<string, string> {
  let times = timeCache.get(timestamp);
  if (!times) {
    if (timeCache.size >= MAX_CACHED_TIMES) timeCache.delete(timeCache.keys().next().value!);
    timeCache.set(timestamp, times = formatTimes(parseTime(RFC3339, timestamp).in(GoZone.UTC)));
  }
  return times;
}

/** Capacity of the cache. Running workflows share timestamps, because many are created within one second. */
const MAX_CACHED_TIMES = 256;
const timeCache = new Map<string, ReadonlyMap<string, string>>();

function formatTimes(created: GoTime): Map<string, string> {
  const prefix = "workflow.creationTimestamp";
  const times = new Map<string, string>();
  for (const letter of STRFTIME_LETTERS.keys()) times.set(`${prefix}.${letter}`, strftime(created, `%${letter}`));
  const text = formatTime(created, RFC3339);
  return times.set(prefix, text).set(`${prefix}.RFC3339`, text).set(`${prefix}.s`, String(created.seconds));
}

/**
 * The JSON of all labels or annotations has only the workflow's own entries. Individual names also have those of
 * `workflowMetadata`.
 */
function addMetadata(
  globals: Map<string, string>,
  kind: string,
  own: Texts | undefined,
  added: Texts | undefined,
): void {
  const json = marshalJson(own ?? null);
  globals.set(`workflow.${kind}`, json).set(`workflow.${kind}.json`, json);
  for (const [key, value] of Object.entries({ ...own, ...added })) globals.set(`workflow.${kind}.${key}`, value);
}

function parameterValue(parameter: InputParameter, context: GlobalsContext): string {
  const { name, value, valueFrom } = parameter;
  if (value !== undefined) return value;
  const reference = valueFrom?.configMapKeyRef;
  if (!reference || !context.configMapValue) {
    throw new TemplateError(`either value or valueFrom must be specified in order to set global parameter ${name}`);
  }
  try {
    return context.configMapValue({ name: reference.name ?? "", key: reference.key });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (valueFrom?.default !== undefined) return valueFrom.default;
    const source = `configmap with name ${reference.name ?? ""} and key ${reference.key}`;
    throw new TemplateError(`failed to set global parameter ${name} from ${source}: ${error.message}`, {
      cause: error,
    });
  }
}
