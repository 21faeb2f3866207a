/**
 * The seal of a report: proof that the pod of the node made it. Each pod has its own key, which is in the environment of the
 * containers that report and nowhere else; a report carries an HMAC of its content. A pod that may write reports cannot
 * seal the report of another pod. The executor seals, the controller compares.
 *
 * The seal covers what every API server and client keeps. An API server drops fields that its CRD does not have and adds
 * defaults, and a client in Go drops or adds empty fields: none of that changes the sealed text.
 */
import { canonicalJson } from "@tiphys/base/canonical_json";
import { withoutMeasures } from "./artifact_measures.ts";
import { isObject } from "@tiphys/base/fields_of";

/** The content of a report, all of which is sealed together. */
export interface Reported {
  readonly mainStarted: boolean;
  /** The report is whole. */
  readonly completed: boolean;
  readonly phase?: string | undefined;
  readonly progress?: string | undefined;
  /** Absent where another container of the pod tells them, under a seal of their own. */
  readonly outputs?: unknown;
}

/** The pod and the node that report: a node has another pod, with another UID, in each of its lives. */
export interface Reporter {
  readonly podUid: string;
  readonly nodeId: string;
}

/** The sealed text of a report. */
export function reportText({ podUid, nodeId }: Reporter, reported: Reported): string {
  return canonicalJson(["report", podUid, nodeId, { ...reported, outputs: stableOutputs(reported.outputs) }]);
}

/** The sealed text of logs that are reported by another container than the outputs. */
export function logsText({ podUid, nodeId }: Reporter, artifacts: unknown): string {
  return canonicalJson(["logs", podUid, nodeId, stableOutputs({ artifacts })]);
}

/** The sealed text of outputs that are reported by another container than the one that completes the report. */
export function outputsText({ podUid, nodeId }: Reporter, outputs: unknown): string {
  return canonicalJson(["outputs", podUid, nodeId, stableOutputs(outputs)]);
}

/** The sealed text of the measures of artifacts; `measures` is their text in the annotation of the report. */
export function measuresText({ podUid, nodeId }: Reporter, measures: string): string {
  return canonicalJson(["measures", podUid, nodeId, measures]);
}

/** Whether two outputs have the same sealed text. */
export function isSameOutputs(a: unknown, b: unknown): boolean {
  return canonicalJson(stableOutputs(a)) === canonicalJson(stableOutputs(b));
}

/** The part of outputs that no API server and no client changes: without measures of artifacts, and without empty fields. */
function stableOutputs(outputs: unknown): unknown {
  if (!isObject(outputs)) return outputs;
  const { artifacts } = outputs;
  return withoutEmptyFields(
    Array.isArray(artifacts) ? { ...outputs, artifacts: artifacts.map(withoutMeasures) } : outputs,
  );
}

/** Fields in which an empty text is a value: pointers in Argo's Go types, kept by clients. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(["result", "exitCode", "value", "default"]);

/** Leaves out fields whose value is `null`, `""`, `false`, `0` or an empty list, at any depth. Items of lists stay. */
function withoutEmptyFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyFields);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([name, field]) =>
    MAY_BE_EMPTY.has(name) ? field !== null && field !== undefined : !isEmpty(field)
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutEmptyFields(field)]));
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : !value;
}
