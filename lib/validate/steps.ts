/** Templates made of steps. */
import type { ParallelSteps, WorkflowStep } from "../api/mod.ts";
import { stepNameErrors } from "../template/name_rules.ts";
import { checkArguments } from "./arguments.ts";
import { type CheckBody, checkCall, checkHooks } from "./call.ts";
import type { Context, Home } from "./context.ts";
import { addItems, isLoop } from "./loop_items.ts";
import type { Place } from "./report.ts";
import { addOutputs, Scope } from "./scope.ts";
import { checkTags } from "./tags.ts";

/** The template around steps or tasks. */
export interface Caller {
  readonly context: Context;
  readonly home: Home;
  readonly place: Place;
  /** What the template itself may refer to; takes in what the steps or tasks give. */
  readonly scope: Scope;
  readonly checkBody: CheckBody;
}

/** Checks each step in order: a step sees the outputs of those before it. */
export function checkSteps(groups: readonly ParallelSteps[], caller: Caller): void {
  const names = new Set<string>();
  groups.forEach((group, groupIndex) =>
    group.forEach((step, index) => {
      const { place } = caller;
      const at = place.part(`${place.name}.steps[${groupIndex}]`, "steps", groupIndex, index);
      const problem = nameProblem(step.name, names);
      if (problem !== undefined) caller.context.report.add(at.at("name"), `${at.name}.name${problem}`);
      names.add(step.name);
      checkStep(step, caller, at.part(`${at.name}.${step.name}`));
    })
  );
}

function nameProblem(name: string, earlier: ReadonlySet<string>): string | undefined {
  if (name === "") return " is required";
  if (earlier.has(name)) return ` '${name}' is not unique`;
  if (name.includes("{{")) return undefined;
  const errors = stepNameErrors(name);
  return errors.length === 0 ? undefined : ` '${name}' is invalid: ${errors.join(";")}`;
}

function checkStep(step: WorkflowStep, { context, home, place, scope, checkBody }: Caller, at: Place): void {
  const { report } = context;
  const prefix = `steps.${step.name}`;
  scope.add(`${prefix}.status`);
  const problem = addItems(scope, step);
  if (problem !== undefined) report.add(at.at(), `${at.name} ${problem}`);
  const args = step.arguments ?? {};
  checkArguments(report, args, at.part(`${at.name}.arguments`, "arguments"), { allowMissingValues: false });
  const template = checkCall(context, home, step, at, { args, surroundings: scope, checkBody });

  const { inline: _, ...own } = step;
  const isExited = step.onExit || step.hooks?.exit;
  const ownScope = new Scope(scope);
  if (isExited) addOutputs(ownScope, prefix, template);
  checkTags(report, own, ownScope, at.part(`${place.name}.steps`));
  addOutputs(scope, prefix, template, isLoop(step));
  if (step.onExit) checkCall(context, home, { template: step.onExit }, at, { field: "onExit", checkBody });
  checkHooks(context, home, step.hooks, at, checkBody);
}
