/** Actions on several workflows. Only those that have an effect are reported as done. */
import type { Workflow } from "@tiphys/model/api";
import { classifyError } from "@tiphys/kube";
import { endWith, EXIT_CODE } from "../command_error.ts";
import { escapeControls } from "../view/plain.ts";
import type { Connection, World } from "../world.ts";
import { forEachName } from "./choose_workflows.ts";

/** An action on a workflow. */
export interface WorkflowAction {
  /** Its participle, as `stopped`. */
  readonly done: string;
  /** Returns the reason why the action would not change a workflow; undefined if it would. */
  readonly whyIdle: (workflow: Workflow) => string | undefined;
  readonly act: (name: string) => Promise<unknown>;
  /** Only with `--dry-run`: throws the error with which the action would fail. */
  readonly tryOut?: ((workflow: Workflow) => void) | undefined;
}

/**
 * Acts on workflows and prints each that was changed. The others are reported with the reason.
 * @throws {CommandError} with the exit code for failure if a workflow was not changed; and the errors of the action.
 */
export async function actOnWorkflows(
  { service, namespace }: Connection,
  names: readonly string[],
  { done, whyIdle, act, tryOut }: WorkflowAction,
  world: World,
): Promise<void> {
  let hasIdle = false;
  await forEachName(names, async (name) => {
    // The action reports a workflow that does not exist or cannot be read.
    const workflow = await service.get(namespace, name).catch((error) => {
      if (tryOut && classifyError(error) === "notFound") throw error;
      return undefined;
    });
    const reason = workflow && whyIdle(workflow);
    if (reason !== undefined) {
      hasIdle = true;
      return world.err(`workflow ${escapeControls(name)} was not ${done}: ${reason}\n`);
    }
    if (!tryOut) await act(name);
    else if (workflow) tryOut(workflow);
    world.out(`workflow ${name} ${done}${tryOut ? " (dry-run)" : ""}\n`);
  });
  if (hasIdle) throw endWith(EXIT_CODE.failed);
}
