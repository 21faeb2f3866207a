/** The steps of a run that wait for a person, and the requests that resume them. Pure. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isActiveSuspend } from "@tiphys/model/status";
import { nodeListOf } from "../../api/run_nodes.ts";
import type { RunAction } from "../../api/source.ts";
import type { Field } from "../submit_form.ts";

/** Values for the outputs of a step, by name. */
export type StepAnswer = Readonly<Record<string, string>>;

/** The steps that wait for a person, or for a time to pass. */
export function waitingSteps(run: Workflow): NodeStatus[] {
  return nodeListOf(run).filter(isActiveSuspend);
}

/** Whether a step waits for values that a person supplies. */
export function needsAnswer({ outputs }: NodeStatus): boolean {
  return (outputs?.parameters ?? []).some(({ valueFrom }) => valueFrom?.supplied);
}

/** The values that a step waits for, as fields of a form, each with its default: undefined without one. */
export function fieldsOfStep({ inputs, outputs }: NodeStatus): Field[] {
  return (outputs?.parameters ?? []).filter(({ valueFrom }) => valueFrom?.supplied).map((output) => {
    const { name, valueFrom, description } = output;
    // An input of the same name holds the default, the choices and the description.
    const input = inputs?.parameters?.find((one) => one.name === name);
    return {
      name,
      usual: valueFrom?.default ?? input?.value,
      choices: output.enum ?? input?.enum,
      description: description ?? input?.description ?? "",
    };
  });
}

/** The value of each field: the one that a person chose, else the default. */
export function answerOf(fields: readonly Field[], chosen: StepAnswer): StepAnswer {
  return Object.fromEntries(fields.map(({ name, usual = "" }) => [name, chosen[name] ?? usual]));
}

/**
 * Whether a person answered every field. A default is never an answer by itself: only a field of free text whose default
 * is empty may be left unchanged.
 */
export function isAnswered(fields: readonly Field[], chosen: StepAnswer): boolean {
  return fields.every(({ name, usual, choices = [] }) => {
    const value = chosen[name];
    if (choices.length > 0) return value !== undefined && (value !== "" || choices.includes(""));
    return usual === "" || value !== undefined && (value !== "" || usual !== undefined);
  });
}

/** The requests that resume one step with its values. */
export function resumeStep({ id }: NodeStatus, answer: StepAnswer): RunAction[] {
  const nodeFieldSelector = `id=${id}`;
  return [
    ...(Object.keys(answer).length > 0
      ? [{ verb: "set", nodeFieldSelector, outputParameters: JSON.stringify(answer) } as const]
      : []),
    { verb: "resume", nodeFieldSelector },
  ];
}

/**
 * The requests that resume a run: first the waiting steps that are named, each by its ID, so that no step passes that began
 * to wait since; then the run itself where it is suspended. A suspended run starts no steps, and stays suspended while
 * steps wait that are not named: resuming it would pass them.
 */
export function resumeRun(run: Workflow, answers: ReadonlyMap<string, StepAnswer>): RunAction[] {
  const waiting = waitingSteps(run);
  const named = waiting.filter(({ id }) => answers.has(id));
  return [
    ...named.flatMap((step) => resumeStep(step, answers.get(step.id)!)),
    ...(run.spec.suspend === true && named.length === waiting.length ? [{ verb: "resume" } as const] : []),
  ];
}
