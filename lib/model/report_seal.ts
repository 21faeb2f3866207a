/**
 * The seal of a report: proof that the node's pod wrote it. Each pod has its own key, which is only in the environment
 * of the containers that report; a report carries an HMAC of its content. A pod that may write reports cannot seal the
 * report of another pod. The executor seals, the controller verifies.
 *
 * The seal covers the part that every API server and client preserves. An API server drops fields that its CRD does not
 * have and adds defaults, and a Go client drops or adds empty fields: none of that changes the sealed text.
 */
import { canonicalJson } from "@tiphys/base/canonical_json";
import { withoutMeasures } from "./artifact_measures.ts";
import { isObject } from "@tiphys/base/fields_of";

/** The content of a report, which is sealed as a whole. */
export interface ReportContent {
  readonly mainStarted: boolean;
  /** Whether the report is complete. */
  readonly completed: boolean;
  readonly phase?: string | undefined;
  readonly progress?: string | undefined;
  /** Undefined if another container of the pod reports them with a separate seal. */
  readonly outputs?: unknown;
}

/** The pod and the node that report. Each attempt of a node has a pod with another UID. */
export interface Reporter {
  readonly podUid: string;
  readonly nodeId: string;
}

/** Returns the sealed text of a report. */
export function reportText({ podUid, nodeId }: Reporter, reported: ReportContent): string {
  return canonicalJson(["report", podUid, nodeId, { ...reported, outputs: stableOutputs(reported.outputs) }]);
}

/** Returns the sealed text of logs that are reported by another container than the outputs. */
export function logsText({ podUid, nodeId }: Reporter, artifacts: unknown): string {
  return canonicalJson(["logs", podUid, nodeId, stableOutputs({ artifacts })]);
}

/** Returns the sealed text of outputs that are reported by another container than the one that completes the report. */
export function outputsText({ podUid, nodeId }: Reporter, outputs: unknown): string {
  return canonicalJson(["outputs", podUid, nodeId, stableOutputs(outputs)]);
}

/** Returns the sealed text of the measures of artifacts; `measures` is their text in the annotation of the report. */
export function measuresText({ podUid, nodeId }: Reporter, measures: string): string {
  return canonicalJson(["measures", podUid, nodeId, measures]);
}

/** Whether two outputs have the same sealed text. */
export function isSameOutputs(a: unknown, b: unknown): boolean {
  return canonicalJson(stableOutputs(a)) === canonicalJson(stableOutputs(b));
}

/** Returns the part of outputs that no API server or client changes: without measures and empty fields. */
function stableOutputs(outputs: unknown): unknown {
  if (!isObject(outputs)) return outputs;
  const { artifacts } = outputs;
  return withoutEmptyFields(
    Array.isArray(artifacts) ? { ...outputs, artifacts: artifacts.map(withoutMeasures) } : outputs,
  );
}

/** Fields whose empty string is a value: pointers in Argo's Go types, which clients preserve. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(["result", "exitCode", "value", "default"]);

/**
 * Removes fields whose value is `null`, `""`, `false`, `0` or an empty list, at any depth. Items of lists are
 * preserved.
 */
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
