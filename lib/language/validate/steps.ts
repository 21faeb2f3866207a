/** Checks templates with steps. */
import { callsTemplates } from "@tiphys/model/templates";
import type { ParallelSteps, WorkflowStep } from "@tiphys/model/api";
import { stepNameErrors } from "../template/name_rules.ts";
import { replacePlaceholders } from "../template/scope.ts";
import { checkArguments } from "./arguments.ts";
import { type CheckBody, checkCall, checkHandlers } from "./call.ts";
import type { Context, ResolvingDocument } from "./context.ts";
import { checkExpressions } from "./expressions/fields.ts";
import { addItems, areOutputsLists, checkLoopSize } from "./loop_items.ts";
import { checkProducers } from "./producers.ts";
import type { FieldLocation, Report } from "./report.ts";
import { addGlobalOutputs, addOutputs, Scope } from "./scope.ts";
import { checkTags, checkTagsOfLoop } from "./tags.ts";

/** The template that contains the steps or tasks. */
export interface Caller {
  readonly context: Context;
  readonly home: ResolvingDocument;
  readonly place: FieldLocation;
  /** The names of the template itself, to which the outputs of its steps or tasks are added. */
  readonly scope: Scope;
  readonly checkBody: CheckBody;
}

/**
 * Checks each step in order: a step can use the outputs of previous groups. In `groups`, tags are substituted as far as
 * possible when the template starts; `written` are the originals.
 */
export function checkSteps(
  groups: readonly ParallelSteps[],
  written: readonly ParallelSteps[],
  caller: Caller,
): void {
  const names = new Set<string>();
  const lastGroups = new Map(groups.flatMap((group, index) => group.map(({ name }) => [name, index] as const)));
  groups.forEach((group, groupIndex) =>
    group.forEach((step, index) => {
      const { place } = caller;
      const location = place.part(`${place.name}.steps[${groupIndex}]`, "steps", groupIndex, index);
      const problem = nameProblem(step.name, names);
      if (problem !== undefined) caller.context.report.add(location.pathTo("name"), `${location.name}.name${problem}`);
      names.add(step.name);
      const asWritten = written[groupIndex]?.[index] ?? step;
      const stepPlace = location.part(`${location.name}.${step.name}`);
      checkStep(step, asWritten, caller, stepPlace);
      const runsBefore = (name: string) => (lastGroups.get(name) ?? -1) < groupIndex;
      checkStepProducers(caller.context.report, asWritten, stepPlace, runsBefore);
    })
  );
}

/**
 * Reports references in the fields of a step that can never be resolved: those to steps of the same group and later
 * groups. `runsBefore` is also true for names that no step has.
 */
function checkStepProducers(
  report: Report,
  { inline, hooks, onExit: _, ...fields }: WorkflowStep,
  fieldPath: FieldLocation,
  runsBefore: (name: string) => boolean,
): void {
  const obstacle = (mayBeItself: boolean) => (member: string) => {
    if (runsBefore(member)) return undefined;
    if (member === fields.name) return mayBeItself ? undefined : "a step cannot refer to its own outputs";
    return `step '${member}' does not run in a group before that of step '${fields.name}'`;
  };
  const leaf = inline && callsTemplates(inline) ? undefined : inline;
  checkProducers(report, "steps", { ...fields, ...(leaf && { inline: leaf }) }, fieldPath, obstacle(false));
  checkProducers(report, "steps", { hooks }, fieldPath, obstacle(true));
}

function nameProblem(name: string, earlier: ReadonlySet<string>): string | undefined {
  if (name === "") return " is required";
  if (earlier.has(name)) return ` '${name}' is not unique`;
  const errors = stepNameErrors(replacePlaceholders(name, "x"));
  return errors.length === 0 ? undefined : ` '${name}' is invalid: ${errors.join(";")}`;
}

function checkStep(step: WorkflowStep, written: WorkflowStep, caller: Caller, location: FieldLocation): void {
  const { context, home, place, scope, checkBody } = caller;
  const { report } = context;
  const prefix = `steps.${step.name}`;
  scope.add(`${prefix}.status`);
  const problem = addItems(scope, step);
  if (problem !== undefined) report.add(location.pathTo(), `${location.name} ${problem}`);
  checkLoopSize(report, step, location);
  const args = step.arguments ?? {};
  checkArguments(report, args, location.part(`${location.name}.arguments`, "arguments"), { allowMissingValues: false });
  const call = { ...step, inline: written.inline };
  const outer = { scope, filled: step.inline };
  const template = checkCall(context, home, call, location, { args, outer, written: written.template, checkBody });

  const { inline: _, ...own } = step;
  const { inline: _inline, ...ownWritten } = written;
  const isExited = step.onExit || step.hooks?.exit;
  const ownScope = new Scope(scope);
  if (isExited) addOutputs(ownScope, prefix, template);
  checkTags(report, own, ownScope, location.part(`${place.name}.steps`));
  checkTagsOfLoop(report, own, ownScope, location);
  if (step.hooks) addOutputs(ownScope, prefix, template);
  checkExpressions(report, ownWritten, ownScope, location);
  addOutputs(scope, prefix, template, areOutputsLists(step));
  addGlobalOutputs(context.globals, scope, template);
  checkHandlers(context, home, step, location);
}
