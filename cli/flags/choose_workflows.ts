/** Selects the workflows of a command, by name or by condition. */
import type { Command } from "commander";
import { listAll, resolveName, type WorkflowQuery } from "@tiphys/service";
import { ActionError } from "@tiphys/engine/workflow_actions";
import { badInput, CommandError } from "../command_error.ts";
import { parseAge } from "./parse_age.ts";
import { checkPhases } from "./phases.ts";
import type { Connection, World } from "../world.ts";

/** A condition on workflows. */
export interface WorkflowFilter {
  readonly selector?: string;
  readonly fieldSelector?: string;
  readonly status?: string;
  readonly completed?: boolean;
  readonly running?: boolean;
  readonly resubmitted?: boolean;
  readonly prefix?: string;
  readonly older?: string;
  readonly since?: string;
}

/** Adds the label and field selectors of Kubernetes. */
export function addSelectorFlags(command: Command): Command {
  return command
    .option("-l, --selector <labels>", "only workflows with these labels, such as `a=b,c!=d`")
    .option("--field-selector <fields>", "only workflows with these fields, such as `metadata.name=a`");
}

/** Adds the flags that filter a list. */
export function addFilterFlags(command: Command): Command {
  return addSelectorFlags(command)
    .option("--status <phases>", "only workflows in these phases, separated by commas")
    .option("--completed", "only workflows that have finished")
    .option("--resubmitted", "only workflows that were created by resubmit")
    .option("--prefix <text>", "only workflows whose name starts with this text")
    .option("--older <age>", "only workflows that finished longer ago than this, such as `3h` or `7d`");
}

/**
 * Converts a filter to a query.
 * @throws {CommandError} for an invalid filter.
 */
export function queryOf(filter: WorkflowFilter, now: Date): WorkflowQuery {
  const { selector, fieldSelector, status, completed, running, resubmitted, prefix, older, since } = filter;
  if (completed && running) throw badInput("--completed and --running cannot be used together");
  const phases = status?.split(",");
  checkPhases(phases ?? []);
  checkFields(fieldSelector);
  return {
    labelSelector: selector,
    fieldSelector,
    phases,
    completed: completed ? true : running ? false : undefined,
    resubmitted,
    namePrefix: prefix,
    finishedBefore: older ? new Date(now.getTime() - readAge("--older", older)) : undefined,
    createdAfter: since ? new Date(now.getTime() - readAge("--since", since)) : undefined,
  };
}

/** Fields that no API server selects by, and the flags of `list` that do. */
const FLAG_OF_FIELD: Readonly<Record<string, string>> = {
  "status.phase": "--status Running",
  "status.finishedAt": "--older 1d",
  "metadata.creationTimestamp": "--since 1h",
};

/** @throws {CommandError} for a field that only a flag selects by. */
function checkFields(fieldSelector = ""): void {
  for (const requirement of fieldSelector.split(",")) {
    const field = /^[^=!]*/.exec(requirement)![0].trim();
    if (!Object.hasOwn(FLAG_OF_FIELD, field)) continue;
    const command = `tiphys list ${FLAG_OF_FIELD[field]}`;
    throw badInput(`--field-selector: field label not supported: ${field}. To select by it:  ${command}`);
  }
}

/**
 * Returns the given names and the names of the workflows that match the selectors. Prints a notice if the result is
 * empty.
 * @throws {CommandError} without names and selectors.
 */
export async function chooseNames(
  { service, namespace }: Connection,
  names: readonly string[],
  filter: WorkflowFilter,
  world: Pick<World, "now" | "err">,
): Promise<string[]> {
  if (!filter.selector && !filter.fieldSelector) {
    if (names.length === 0) throw badInput("Expected the name of a workflow, or a selector");
    return await Promise.all(names.map((name) => resolveName(service, namespace, name)));
  }
  const chosen = await listAll(service, namespace, queryOf(filter, world.now()));
  // Like `argo`, succeeds: a cleanup may find nothing to do.
  if (names.length + chosen.length === 0) world.err("No workflows found\n");
  return [...new Set([...names, ...chosen.map(({ metadata }) => metadata.name ?? "")])];
}

/**
 * Acts on workflows one after the other. With several workflows, an error of the action names the workflow.
 * @throws the errors of the action.
 */
export async function forEachName(names: readonly string[], act: (name: string) => Promise<void>): Promise<void> {
  for (const name of names) {
    try {
      await act(name);
    } catch (error) {
      throw names.length > 1 && error instanceof ActionError ? new CommandError(`${name}: ${error.message}`) : error;
    }
  }
}

function readAge(flag: string, text: string): number {
  const millis = parseAge(text);
  if (millis === undefined) throw badInput(`Expected an age such as 10m, 3h or 1d for ${flag}, got "${text}"`);
  return millis;
}
