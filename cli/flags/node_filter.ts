/** Flags of `get`, `watch` and `submit --watch` that select the nodes to show. */
import type { Command } from "commander";
import type { NodeStatus } from "@tiphys/model/api";
import { parseNodeSelector } from "@tiphys/engine/workflow_actions";
import { badInput } from "../command_error.ts";
import { checkPhases } from "./phases.ts";

/** The flags as commander reads them. */
export interface NodeFilterFlags {
  readonly status?: string;
  readonly nodeFieldSelector?: string;
}

/** Adds the flags to a command. */
export function addNodeFilterFlags(command: Command): Command {
  return command
    .option("--status <phase>", "only nodes in this phase")
    .option("--node-field-selector <fields>", "only nodes with these fields, such as `phase=Failed`");
}

/**
 * Returns a predicate that selects the nodes to show; undefined to show all.
 * @throws {CommandError} if both flags are set, {ActionError} for an invalid selector.
 */
export function nodeFilter(
  { status, nodeFieldSelector }: NodeFilterFlags,
): ((node: NodeStatus) => boolean) | undefined {
  if (status && nodeFieldSelector) throw badInput("cannot use both --status and --node-field-selector");
  if (status) checkPhases([status]);
  const selector = status ? `phase=${status}` : nodeFieldSelector;
  return selector ? parseNodeSelector(selector) : undefined;
}
