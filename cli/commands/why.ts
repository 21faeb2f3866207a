/** `tiphys why`: explains why a workflow, or one of its nodes, waits or failed. */
import { Command } from "commander";
import type { Reason } from "@tiphys/engine/explain";
import type { Workflow } from "@tiphys/model/api";
import { isFailure } from "@tiphys/model/status";
import { resolveName, type WorkflowService } from "@tiphys/service";
import { CommandError } from "../command_error.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import { type OutputForm, outputOption, printList } from "../view/print_object.ts";
import { escapeControls } from "../view/plain.ts";
import { failureAdvice, firstFailureReport } from "../view/failure_report.ts";
import { reasonTable } from "../view/reason_table.ts";
import { statusText } from "../view/describe_workflow.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags {
  readonly output?: OutputForm;
}

/** Creates the command `why`. */
export function whyCommand(world: World): Command {
  return new Command("why")
    .argument("<workflow>", "name; @latest is the newest")
    .argument("[node]", "name, display name or ID of a node")
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .action((requestedName: string, node: string | undefined, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, async ({ service, namespace }) => {
        const name = await resolveName(service, namespace, requestedName);
        const workflow = await service.get(namespace, name);
        const all = await service.why(namespace, name);
        const nodes = Object.values(workflow.status?.nodes ?? {});
        const reasons = node === undefined ? all : reasonsOf(all, nodes, node, name);
        if (printList(world, reasons, (reason) => reason.node ?? name, flags.output)) return;
        const wide = flags.output === "wide";
        const failure = await whyFailed(service, workflow, node, flags);
        const waits = reasonTable(reasons, { workflowName: name, now: world.now(), wide });
        const lines = [...failure, ...waits];
        const nothing = `${escapeControls(node ?? name)} is not waiting: the workflow is ${statusText(workflow)}`;
        world.out(`${lines.length ? lines.join("\n") : nothing}\n`);
      });
    });
}

/**
 * Returns lines about the failure of a workflow, with the command that retries it, or about the failure of one of its
 * nodes. Empty without a failure.
 */
async function whyFailed(
  service: WorkflowService,
  workflow: Workflow,
  called: string | undefined,
  flags: Flags,
): Promise<string[]> {
  const { status } = workflow;
  if (called === undefined) {
    if (status?.phase !== "Failed" && status?.phase !== "Error") return [];
    return await failureAdvice(service, workflow, flags);
  }
  const nodes = Object.values(status?.nodes ?? {});
  const failed = nodes.find((node) => isFailure(node.phase) && isCalled(node, called));
  if (!failed) return [];
  const within = nodes.filter((node) => isWithin(node.name, failed.name));
  const part = { ...workflow, status: { ...status, nodes: Object.fromEntries(within.map((node) => [node.id, node])) } };
  const head = `${escapeControls(failed.name)} ended with ${failed.phase}${
    failed.message ? `: ${escapeControls(failed.message)}` : ""
  }`;
  return [head, ...await firstFailureReport(service, part)];
}

/** The names of a node. */
interface NodeNames {
  readonly id: string;
  readonly name: string;
  readonly displayName?: string;
}

/**
 * Returns the reasons of the nodes with a name, display name or ID, and of the nodes within them. A node that has not
 * started is found by its reason.
 * @throws {CommandError} if no node matches.
 */
function reasonsOf(
  reasons: readonly Reason[],
  nodes: readonly NodeNames[],
  called: string,
  workflowName: string,
): Reason[] {
  const names = nodes.filter((node) => isCalled(node, called)).map(({ name }) => name);
  for (const { node } of reasons) {
    if (node !== undefined && (node === called || node.endsWith(`.${called}`)) && !names.includes(node)) {
      names.push(node);
    }
  }
  if (names.length === 0) throw new CommandError(`Workflow ${workflowName} has no node ${JSON.stringify(called)}`);
  return reasons.filter(({ node }) => node !== undefined && names.some((name) => isWithin(node, name)));
}

function isCalled({ id, name, displayName }: NodeNames, called: string): boolean {
  return [id, name, displayName].includes(called);
}

function isWithin(node: string, name: string): boolean {
  return node === name || node.startsWith(name) && ".[(".includes(node[name.length] ?? " ");
}
