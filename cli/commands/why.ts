/** `tiphys why`: the reasons why a workflow, or a node of it, waits or failed. */
import { Command } from "commander";
import type { Reason } from "@tiphys/engine/explain";
import type { Workflow } from "@tiphys/model/api";
import { isFailure } from "@tiphys/model/status";
import { resolveName, type WorkflowService } from "@tiphys/service";
import { CommandError } from "../command_error.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import { type OutputForm, outputOption, printList } from "../view/print_object.ts";
import { plain } from "../view/plain.ts";
import { failureAdvice, firstFailureReport } from "../view/failure_report.ts";
import { reasonTable } from "../view/reason_table.ts";
import { statusText } from "../view/describe_workflow.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags {
  readonly output?: OutputForm;
}

/** Makes the command. */
export function whyCommand(world: World): Command {
  return new Command("why")
    .argument("<workflow>", "name; @latest is the newest")
    .argument("[node]", "name, display name or ID of a node")
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .action((given: string, node: string | undefined, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, async ({ service, namespace }) => {
        const name = await resolveName(service, namespace, given);
        const workflow = await service.get(namespace, name);
        const all = await service.why(namespace, name);
        const nodes = Object.values(workflow.status?.nodes ?? {});
        const reasons = node === undefined ? all : reasonsOf(all, nodes, node, name);
        if (printList(world, reasons, (reason) => reason.node ?? name, flags.output)) return;
        const wide = flags.output === "wide";
        const failure = await whyFailed(service, workflow, node, flags);
        const waits = reasonTable(reasons, { workflowName: name, now: world.now(), wide });
        const lines = [...failure, ...waits];
        const nothing = `${plain(node ?? name)} waits for nothing: the workflow is ${statusText(workflow)}`;
        world.out(`${lines.length ? lines.join("\n") : nothing}\n`);
      });
    });
}

/**
 * The failure of a workflow that has ended, or of a node of it, and the command that continues; no lines where there is
 * none.
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
  const within = nodes.filter((node) => liesWithin(node.name, failed.name));
  const part = { ...workflow, status: { ...status, nodes: Object.fromEntries(within.map((node) => [node.id, node])) } };
  const head = `${plain(failed.name)} ended with ${failed.phase}${failed.message ? `: ${plain(failed.message)}` : ""}`;
  return [head, ...await firstFailureReport(service, part)];
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly displayName?: string;
}

/**
 * The reasons of the nodes that are called so, and of those within them. A node that did not begin is known by its
 * reason only.
 * @throws {CommandError} when no node is called so.
 */
function reasonsOf(
  reasons: readonly Reason[],
  nodes: readonly Named[],
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
  return reasons.filter(({ node }) => node !== undefined && names.some((name) => liesWithin(node, name)));
}

function isCalled({ id, name, displayName }: Named, called: string): boolean {
  return [id, name, displayName].includes(called);
}

function liesWithin(node: string, name: string): boolean {
  return node === name || node.startsWith(name) && ".[(".includes(node[name.length] ?? " ");
}
