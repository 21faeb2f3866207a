/** Flags that say which nodes of a workflow are shown: of `get`, `watch` and `submit --watch`. */
import type { Command } from "commander";
import type { NodeStatus } from "@tiphys/model/api";
import { parseNodeSelector } from "@tiphys/engine/workflow_actions";
import { badInput } from "../command_error.ts";

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
 * Whether a node is shown; undefined when all are.
 * @throws {CommandError} when both flags are given, {ActionError} for a selector that cannot be read.
 */
export function nodeFilter(
  { status, nodeFieldSelector }: NodeFilterFlags,
): ((node: NodeStatus) => boolean) | undefined {
  if (status && nodeFieldSelector) throw badInput("cannot use both --status and --node-field-selector");
  const selector = status ? `phase=${status}` : nodeFieldSelector;
  return selector ? parseNodeSelector(selector) : undefined;
}
