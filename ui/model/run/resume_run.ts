/** The steps of a run that wait for a person, and the requests that resume them. Pure. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { isActiveSuspend } from "@tiphys/model/status";
import { nodeListOf } from "../../api/run_nodes.ts";
import type { RunAction } from "../../api/source.ts";
import type { Field } from "../submit_form.ts";

/** Values for the outputs of a step, by name. */
export type StepAnswer = Readonly<Record<string, string>>;

/** Returns the steps that wait for a person or for a duration. */
export function waitingSteps(run: Workflow): NodeStatus[] {
  return nodeListOf(run).filter(isActiveSuspend);
}

/** Reports whether a step waits for values from a person. */
export function needsAnswer({ outputs }: NodeStatus): boolean {
  return (outputs?.parameters ?? []).some(({ valueFrom }) => valueFrom?.supplied);
}

/** Returns the values that a step waits for as form fields, with their defaults if they have any. */
export function fieldsOfStep({ inputs, outputs }: NodeStatus): Field[] {
  return (outputs?.parameters ?? []).filter(({ valueFrom }) => valueFrom?.supplied).map((output) => {
    const { name, valueFrom, description } = output;
    // The input of the same name has the default, the choices and the description.
    const input = inputs?.parameters?.find((parameter) => parameter.name === name);
    return {
      name,
      usual: valueFrom?.default ?? input?.value,
      choices: output.enum ?? input?.enum,
      description: description ?? input?.description ?? "",
    };
  });
}

/** Returns the value of each field: the chosen one, else the default. */
export function answerOf(fields: readonly Field[], chosen: StepAnswer): StepAnswer {
  return Object.fromEntries(fields.map(({ name, usual = "" }) => [name, chosen[name] ?? usual]));
}

/**
 * Reports whether a person answered every field. A default alone is not an answer, except the empty default of a free
 * text field.
 */
export function isAnswered(fields: readonly Field[], chosen: StepAnswer): boolean {
  return fields.every(({ name, usual, choices = [] }) => {
    const value = chosen[name];
    if (choices.length > 0) return value !== undefined && (value !== "" || choices.includes(""));
    return usual === "" || value !== undefined && (value !== "" || usual !== undefined);
  });
}

/** Returns the requests that resume one step with its values. */
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
 * Returns the requests that resume a run. First the named waiting steps, each by its ID, so that steps that started to
 * wait later are not passed; then the run itself if it is suspended. The run stays suspended while steps wait that are
 * not named, because resuming it would pass them.
 */
export function resumeRun(run: Workflow, answers: ReadonlyMap<string, StepAnswer>): RunAction[] {
  const waiting = waitingSteps(run);
  const named = waiting.filter(({ id }) => answers.has(id));
  return [
    ...named.flatMap((step) => resumeStep(step, answers.get(step.id)!)),
    ...(run.spec.suspend === true && named.length === waiting.length ? [{ verb: "resume" } as const] : []),
  ];
}
