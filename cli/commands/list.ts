/** `tiphys list`. */
import { plain } from "../view/plain.ts";
import { Command } from "commander";
import type { Parameter, Workflow } from "../../lib/api/mod.ts";
import { elapsed } from "../../lib/status/mod.ts";
import { listAll } from "../../lib/workflow_service/mod.ts";
import { addFilterFlags, queryOf, type WorkflowFilter } from "../flags/choose_workflows.ts";
import { statusText } from "../view/describe_workflow.ts";
import { type GlobalFlags, withCluster } from "../flags/global_flags.ts";
import { type OutputForm, outputOption, printObjects } from "../view/print_object.ts";
import { tableLines } from "../view/table.ts";
import type { World } from "../world.ts";

interface Flags extends GlobalFlags, WorkflowFilter {
  readonly allNamespaces?: boolean;
  readonly headers: boolean;
  readonly output?: OutputForm;
}

/** Makes the command. */
export function listCommand(world: World): Command {
  return addFilterFlags(new Command("list"))
    .option("-A, --all-namespaces", "of all namespaces")
    .option("--running", "only workflows that have not ended")
    .option("--since <age>", "only workflows created since then: `10m`, `3h`, `1d`")
    .option("--no-headers", "without the titles")
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .action((_flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, async ({ service, namespace }) => {
        const where = flags.allNamespaces ? undefined : namespace;
        print(await listAll(service, where, queryOf(flags, world.now())), flags, world);
      });
    });
}

function print(workflows: readonly Workflow[], flags: Flags, world: World): void {
  if (workflows.length === 0 && flags.output !== "json" && flags.output !== "yaml") {
    return world.out("No workflows found\n");
  }
  if (printObjects(world, workflows, flags.output)) return;
  const rows = workflows.map((workflow) => row(workflow, flags, world.now()).map(plain));
  const lines = tableLines(flags.headers ? [titles(flags), ...rows] : rows, 3);
  world.out(lines.map((line) => `${line}\n`).join(""));
}

function titles({ allNamespaces, output }: Flags): string[] {
  return [
    ...(allNamespaces ? ["NAMESPACE"] : []),
    ...["NAME", "STATUS", "AGE", "DURATION", "PRIORITY", "MESSAGE"],
    ...(output === "wide" ? ["P/R/C", "PARAMETERS"] : []),
  ];
}

function row(workflow: Workflow, { allNamespaces, output }: Flags, now: Date): string[] {
  const { metadata, spec, status } = workflow;
  return [
    ...(allNamespaces ? [metadata.namespace ?? ""] : []),
    metadata.name ?? "",
    statusText(workflow),
    elapsed(metadata.creationTimestamp, undefined, now),
    elapsed(status?.startedAt, status?.finishedAt, now) || "0s",
    String(spec.priority ?? 0),
    status?.message ?? "",
    ...(output === "wide" ? [podCounts(workflow), parametersText(spec.arguments?.parameters ?? [])] : []),
  ];
}

/** Pods that wait, run and have ended: `0/1/3`. */
function podCounts({ status }: Workflow): string {
  const counts = { waiting: 0, running: 0, ended: 0 };
  for (const { type, phase, daemoned } of Object.values(status?.nodes ?? {})) {
    if (type !== "Pod") continue;
    if (phase === "Running" && !daemoned) counts.running++;
    else if (phase === "Pending" || phase === undefined) counts.waiting++;
    else counts.ended++;
  }
  return `${counts.waiting}/${counts.running}/${counts.ended}`;
}

const LONGEST = 50;

function parametersText(parameters: readonly Parameter[]): string {
  return parameters.filter(({ value }) => value !== undefined).map(({ name, value }) => {
    const text = String(value);
    const shown = text.length > LONGEST ? `${text.slice(0, LONGEST - 18)}...${text.slice(-15)}` : text;
    return `${name}=${shown}`;
  }).join(",");
}
