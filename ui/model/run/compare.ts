/** Compares two runs of one workflow: inputs, results, and durations. Pure. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isFailure } from "@tiphys/model/status";
import { nodePath } from "@tiphys/model/status/names";
import { elapsedMillis } from "../duration.ts";
import { compareRuns as inListOrder } from "../run_list.ts";
import { fieldDifferences } from "./field_differences.ts";
import { leafNodes } from "./leaf_nodes.ts";
import * as words from "../text/en/compare.ts";

/** A value that differs; undefined in a run that does not have it. */
export interface Difference {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A node of both runs, matched by its path. */
export interface NodeDifference {
  /** The path without the name of the run. */
  readonly path: string;
  readonly before: NodeStatus | undefined;
  readonly after: NodeStatus | undefined;
  /** The difference of the durations, in milliseconds; undefined if one of the two has no duration. */
  readonly longer: number | undefined;
  /** Outputs that differ. */
  readonly outputs: readonly Difference[];
}

/** All differences, most significant first. */
export interface Comparison {
  readonly longer: number | undefined;
  readonly parameters: readonly Difference[];
  readonly templates: readonly Difference[];
  /** Fields of the specs other than templates and arguments. */
  readonly fields: readonly Difference[];
  readonly nodes: readonly NodeDifference[];
}

/** Compares a run with an earlier one. */
export function compareRuns(before: Workflow, after: Workflow): Comparison {
  return {
    longer: durationDifference(before.status, after.status),
    parameters: differences(parametersOf(before), parametersOf(after)),
    templates: differences(templatesOf(before), templatesOf(after)),
    fields: fieldDifferences(specWithoutComparedParts(before), specWithoutComparedParts(after)),
    nodes: nodeDifferences(before, after),
  };
}

/** Returns the most useful run to compare with: the last earlier success, else the previous run. */
export function usualMeasure(run: Workflow, others: readonly Workflow[]): Workflow | undefined {
  const earlier = others.filter(({ metadata, status }) =>
    metadata.uid !== run.metadata.uid && (status?.startedAt ?? "") <= (run.status?.startedAt ?? "~")
  );
  return earlier.find(({ status }) => status?.phase === "Succeeded") ?? earlier[0];
}

/** Merges lists of runs to choose from: newest first, without duplicates and without the run itself. */
export function choicesOf(run: Workflow, lists: readonly (readonly Workflow[])[]): Workflow[] {
  const byUid = new Map(lists.flat().map((list) => [list.metadata.uid, list]));
  byUid.delete(run.metadata.uid);
  return [...byUid.values()].sort(inListOrder);
}

/** Returns the name of the run that this one was resubmitted from. */
export function originalOf({ metadata }: Workflow): string | undefined {
  return metadata.labels?.[RESUBMITTED_FROM] || undefined;
}

const RESUBMITTED_FROM = "workflows.argoproj.io/resubmitted-from-workflow";

/** Labels that name the source of a run, most specific first. */
const MADE_FROM = [
  "workflows.argoproj.io/cron-workflow",
  "workflows.argoproj.io/workflow-template",
  "workflows.argoproj.io/cluster-workflow-template",
  "workflows.argoproj.io/workflow-event-binding",
  RESUBMITTED_FROM,
] as const;

/** Returns how to find runs of the same workflow: by label, else by the first part of the name. */
export function relatedRunsFilter({ metadata }: Workflow): { readonly label: string } | { readonly prefix: string } {
  const key = MADE_FROM.find((candidate) => metadata.labels?.[candidate]);
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
      longer: durationDifference(one, other),
      outputs: one && other ? differences(outputsOf(one), outputsOf(other)) : [],
    };
  });
  return all.filter(isDifferent).sort((a, b) => sortWeightOf(b) - sortWeightOf(a));
}

/** Shorter differences are ignored, because statuses have whole seconds. */
const MIN_MILLIS = 1000;

function isDifferent({ before, after, longer, outputs }: NodeDifference): boolean {
  return before?.phase !== after?.phase || Math.abs(longer ?? 0) > MIN_MILLIS || outputs.length > 0;
}

/** New failures first, then fixed ones, then by duration. */
function sortWeightOf({ before, after, longer }: NodeDifference): number {
  const [failed, fails] = [isFailure(before?.phase), isFailure(after?.phase)];
  const phases = fails && !failed ? 2 : failed && !fails ? 1 : 0;
  return phases * 1e12 + Math.abs(longer ?? 0);
}

/** Returns the nodes that ran, by path; attempts are represented by the retried node. */
function leavesOf(workflow: Workflow): Map<string, NodeStatus> {
  const run = workflow.metadata.name ?? "";
  return new Map(
    leafNodes(workflow).map((node) => [node.name === run ? words.runItself : nodePath(node.name, run), node]),
  );
}

interface TimedItem {
  readonly startedAt?: string | null | undefined;
  readonly finishedAt?: string | null | undefined;
}

function durationDifference(before: TimedItem | undefined, after: TimedItem | undefined): number | undefined {
  const [old, now] = [durationOf(before), durationOf(after)];
  return old === undefined || now === undefined ? undefined : now - old;
}

/** Returns the duration of something finished. */
function durationOf(timedItem: TimedItem | undefined): number | undefined {
  return timedItem?.finishedAt ? elapsedMillis(timedItem.startedAt ?? undefined, timedItem.finishedAt, NaN) : undefined;
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Difference[] {
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    return old === now ? [] : [{ name, before: old, after: now }];
  });
}

function parametersOf({ spec, status }: Workflow): Map<string, string> {
  // The stored spec of a template contains defaults and given values.
  const given = status?.storedWorkflowTemplateSpec?.arguments?.parameters ?? spec.arguments?.parameters ?? [];
  return new Map(given.map(({ name, value }) => [name, String(value ?? "")]));
}

function outputsOf({ outputs }: NodeStatus): Map<string, string> {
  const all = new Map((outputs?.parameters ?? []).map(({ name, value }) => [name, String(value ?? "")]));
  if (outputs?.exitCode !== undefined) all.set(words.exitCode, outputs.exitCode);
  return all;
}

/** Returns templates by name, starting with their image so that it can be compared first. */
function templatesOf({ spec, status }: Workflow): Map<string, string> {
  const templates = status?.storedWorkflowTemplateSpec?.templates ?? spec.templates ?? [];
  return new Map(templates.map((template) => {
    const image = template.container?.image ?? template.script?.image;
    return [template.name ?? "", `${image ?? ""}\n${JSON.stringify(template)}`];
  }));
}

/** Returns the spec without parts that are compared separately, and without later user actions. */
function specWithoutComparedParts({ spec, status }: Workflow): Readonly<Record<string, unknown>> {
  const { templates: _t, arguments: _a, shutdown: _s, suspend: _w, ...rest } = {
    ...status?.storedWorkflowTemplateSpec,
    ...spec,
  };
  return rest;
}

/** Returns the fields in which two versions of a template differ. */
export function templateFields({ before, after }: Difference): readonly Difference[] {
  if (before === undefined || after === undefined) return [];
  const [old, now] = [before, after].map((text) => JSON.parse(text.slice(text.indexOf("\n") + 1)) as unknown);
  return fieldDifferences(old, now);
}

/** Describes the difference of a template: its images, if they differ. */
export function templateText({ before, after }: Difference): string {
  const [old, now] = [before, after].map((text) => text?.split("\n", 1)[0]);
  if (before === undefined) return words.templateIsNew;
  if (after === undefined) return words.templateIsGone;
  return old === now ? words.templateWasChanged : words.otherImage(old || words.noImage, now || words.noImage);
}
