/** The comparison of two runs of one workflow: what was given, what came out differently, and where the time went. Pure. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isFailure } from "@tiphys/model/status";
import { nodePath } from "@tiphys/model/status/names";
import { elapsed } from "../duration.ts";
import { compareRuns as inListOrder } from "../run_list.ts";
import { fieldDifferences } from "./field_differences.ts";
import { leafNodes } from "./leaf_nodes.ts";
import * as words from "../text/en/compare.ts";

/** A value that is not the same in both: undefined where a run has none. */
export interface Difference {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A node of the two runs, matched by its path within each. */
export interface NodeDifference {
  /** The path, without the name of the run. */
  readonly path: string;
  readonly before: NodeStatus | undefined;
  readonly after: NodeStatus | undefined;
  /** Milliseconds that it took longer; undefined where one of both has no time. */
  readonly longer: number | undefined;
  /** Outputs that differ. */
  readonly outputs: readonly Difference[];
}

/** What differs, the most telling first. */
export interface Comparison {
  readonly longer: number | undefined;
  readonly parameters: readonly Difference[];
  readonly templates: readonly Difference[];
  /** Fields of the specs, but for their templates and arguments. */
  readonly fields: readonly Difference[];
  readonly nodes: readonly NodeDifference[];
}

/** Compares a run with one before it. */
export function compareRuns(before: Workflow, after: Workflow): Comparison {
  return {
    longer: longer(before.status, after.status),
    parameters: differences(parametersOf(before), parametersOf(after)),
    templates: differences(templatesOf(before), templatesOf(after)),
    fields: fieldDifferences(restOf(before), restOf(after)),
    nodes: nodeDifferences(before, after),
  };
}

/** The run that is worth most as a measure: the last success before another, else the one before it. */
export function usualMeasure(run: Workflow, others: readonly Workflow[]): Workflow | undefined {
  const earlier = others.filter(({ metadata, status }) =>
    metadata.uid !== run.metadata.uid && (status?.startedAt ?? "") <= (run.status?.startedAt ?? "~")
  );
  return earlier.find(({ status }) => status?.phase === "Succeeded") ?? earlier[0];
}

/** Runs to choose from, of several lists: each once, the newest first, and not the run itself. */
export function choicesOf(run: Workflow, lists: readonly (readonly Workflow[])[]): Workflow[] {
  const byUid = new Map(lists.flat().map((one) => [one.metadata.uid, one]));
  byUid.delete(run.metadata.uid);
  return [...byUid.values()].sort(inListOrder);
}

/** The name of the run that this one was resubmitted from. */
export function originalOf({ metadata }: Workflow): string | undefined {
  return metadata.labels?.[RESUBMITTED_FROM] || undefined;
}

const RESUBMITTED_FROM = "workflows.argoproj.io/resubmitted-from-workflow";

/** The labels that say what a run was made from, the most telling first. */
const MADE_FROM = [
  "workflows.argoproj.io/cron-workflow",
  "workflows.argoproj.io/workflow-template",
  "workflows.argoproj.io/cluster-workflow-template",
  "workflows.argoproj.io/workflow-event-binding",
  RESUBMITTED_FROM,
] as const;

/** The way to runs of the same workflow: a label, or the beginning of the name where nothing else says it. */
export function kinOf({ metadata }: Workflow): { readonly label: string } | { readonly prefix: string } {
  const key = MADE_FROM.find((one) => metadata.labels?.[one]);
  if (key) return { label: `${key}=${metadata.labels?.[key]}` };
  const name = metadata.name ?? "";
  return { prefix: metadata.generateName ?? name.replace(/-[a-z0-9]{1,6}$/, "-") };
}

function nodeDifferences(before: Workflow, after: Workflow): NodeDifference[] {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const paths = new Set([...now.keys(), ...old.keys()]);
  const all = [...paths].map((path): NodeDifference => {
    const [one, other] = [old.get(path), now.get(path)];
    return {
      path,
      before: one,
      after: other,
      longer: longer(one, other),
      outputs: one && other ? differences(outputsOf(one), outputsOf(other)) : [],
    };
  });
  return all.filter(isDifferent).sort((a, b) => weightOf(b) - weightOf(a));
}

/** A difference of less than a second is none: statuses have whole seconds. */
const LEAST_MILLIS = 1000;

function isDifferent({ before, after, longer, outputs }: NodeDifference): boolean {
  return before?.phase !== after?.phase || Math.abs(longer ?? 0) > LEAST_MILLIS || outputs.length > 0;
}

/** New failures first, then what fails no more, then by the time. */
function weightOf({ before, after, longer }: NodeDifference): number {
  const [failed, fails] = [isFailure(before?.phase), isFailure(after?.phase)];
  const phases = fails && !failed ? 2 : failed && !fails ? 1 : 0;
  return phases * 1e12 + Math.abs(longer ?? 0);
}

/** Nodes at which something ran, by their path; of attempts the node that they are attempts of. */
function leavesOf(workflow: Workflow): Map<string, NodeStatus> {
  const run = workflow.metadata.name ?? "";
  return new Map(
    leafNodes(workflow).map((node) => [node.name === run ? words.runItself : nodePath(node.name, run), node]),
  );
}

interface Timed {
  readonly startedAt?: string | null | undefined;
  readonly finishedAt?: string | null | undefined;
}

function longer(before: Timed | undefined, after: Timed | undefined): number | undefined {
  const [old, now] = [tookOf(before), tookOf(after)];
  return old === undefined || now === undefined ? undefined : now - old;
}

/** The time of what has ended. */
function tookOf(one: Timed | undefined): number | undefined {
  return one?.finishedAt ? elapsed(one.startedAt ?? undefined, one.finishedAt, NaN) : undefined;
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Difference[] {
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    return old === now ? [] : [{ name, before: old, after: now }];
  });
}

function parametersOf({ spec, status }: Workflow): Map<string, string> {
  // What is stored of a template has its usual values and those that were given, together.
  const given = status?.storedWorkflowTemplateSpec?.arguments?.parameters ?? spec.arguments?.parameters ?? [];
  return new Map(given.map(({ name, value }) => [name, String(value ?? "")]));
}

function outputsOf({ outputs }: NodeStatus): Map<string, string> {
  const all = new Map((outputs?.parameters ?? []).map(({ name, value }) => [name, String(value ?? "")]));
  if (outputs?.exitCode !== undefined) all.set(words.exitCode, outputs.exitCode);
  return all;
}

/** Templates by name, with the image that they run, or their text where that is the same. */
function templatesOf({ spec, status }: Workflow): Map<string, string> {
  const templates = status?.storedWorkflowTemplateSpec?.templates ?? spec.templates ?? [];
  return new Map(templates.map((template) => {
    const image = template.container?.image ?? template.script?.image;
    return [template.name ?? "", `${image ?? ""}\n${JSON.stringify(template)}`];
  }));
}

/** The spec of a run, without what is compared by itself, and without what people have done to it since. */
function restOf({ spec, status }: Workflow): Readonly<Record<string, unknown>> {
  const { templates: _t, arguments: _a, shutdown: _s, suspend: _w, ...rest } = {
    ...status?.storedWorkflowTemplateSpec,
    ...spec,
  };
  return rest;
}

/** The fields in which the two of a template differ. */
export function templateFields({ before, after }: Difference): readonly Difference[] {
  if (before === undefined || after === undefined) return [];
  const [old, now] = [before, after].map((text) => JSON.parse(text.slice(text.indexOf("\n") + 1)) as unknown);
  return fieldDifferences(old, now);
}

/** What a person is shown of a template that differs: its image, where that is another. */
export function templateText({ before, after }: Difference): string {
  const [old, now] = [before, after].map((text) => text?.split("\n", 1)[0]);
  if (before === undefined) return words.templateIsNew;
  if (after === undefined) return words.templateIsGone;
  return old === now ? words.templateWasChanged : words.otherImage(old || words.noImage, now || words.noImage);
}
