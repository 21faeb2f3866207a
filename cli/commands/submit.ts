/** `tiphys submit`. */
import { Command } from "commander";
import type { Workflow } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";
import { parseSource, type SubmitOptions } from "@tiphys/engine/workflow_actions";
import { referredTemplates } from "@tiphys/service/stored";
import { addAwaitFlags, awaitEnd, type AwaitFlags, refuseToWatchSeveral, requireRunning } from "../await_end.ts";
import { checkAsServer, refuseProblems } from "../input/check_documents.ts";
import { checkSource } from "../input/check_source.ts";
import { badInput } from "../command_error.ts";
import { lookOf, withCluster } from "../flags/global_flags.ts";
import { addNodeFilterFlags, nodeFilter, type NodeFilterFlags } from "../flags/node_filter.ts";
import { documentsOfKind, objectOf, readDocuments, workflowOf } from "../input/input_documents.ts";
import { warnOfUnknownNames, withOptions } from "../input/submitted_documents.ts";
import { outputOption } from "../view/print_object.ts";
import { type PrintFlags, printWorkflow } from "../flags/print_workflow.ts";
import { addStrictFlag } from "../flags/strict.ts";
import { addSubmitFlags, fileFlagAdvice, type SubmitFlags, submitOptions } from "../flags/submit_flags.ts";
import type { Connection, World } from "../world.ts";

interface Flags extends PrintFlags, SubmitFlags, AwaitFlags, NodeFilterFlags {
  readonly strict: boolean;
  readonly from?: string;
  readonly dryRun?: boolean;
  readonly serverDryRun?: boolean;
  readonly scheduledTime?: string;
}

/** Creates the command `submit`. */
export function submitCommand(world: World): Command {
  const command = new Command("submit").argument("[files...]", "manifests; - is the standard input");
  return addStrictFlag(addNodeFilterFlags(addAwaitFlags(addSubmitFlags(command))))
    .option(
      "--from <kind/name>",
      "create a workflow from a template or schedule, such as `workflowtemplate/a` or `cronwf/b`",
    )
    .option("--dry-run", "print the workflow without creating it")
    .option("--server-dry-run", "print the workflow as the server would create it")
    .option("--scheduled-time <time>", "scheduled time (RFC 3339) of a workflow that is created from a schedule")
    .addOption(outputOption("name", "json", "yaml", "wide"))
    .action((files: string[], _flags: unknown, self: Command) => submit(files, self.optsWithGlobals<Flags>(), world));
}

async function submit(files: readonly string[], flags: Flags, world: World): Promise<void> {
  refuseCombinations(files, flags);
  const shows = nodeFilter(flags);
  const annotations = flags.scheduledTime ? { [ANNOTATION.scheduledTime]: flags.scheduledTime } : undefined;
  const options = { ...await submitOptions(flags, world), annotations };
  await withCluster(world, flags, async (connection) => {
    const { service, namespace } = connection;
    if (!flags.dryRun && !flags.serverDryRun) requireRunning(connection);
    const how = { dryRun: flags.dryRun ? "client" as const : flags.serverDryRun ? "server" as const : undefined };
    const names: string[] = [];
    const report = (created: Workflow) => {
      printWorkflow(world, created, flags);
      names.push(created.metadata.name ?? "");
    };
    if (flags.from) {
      const source = parseSource(flags.from);
      await checkSource(source, options, connection, world);
      report(await service.submit(namespace, source, options, how));
    } else {
      const workflows = await fromFiles(files, connection, { ...options, strict: flags.strict }, world);
      refuseToWatchSeveral(workflows.length, flags);
      for (const workflow of workflows) {
        report(await service.create(namespace, workflow, how));
      }
    }
    await awaitEnd(names, flags, { ...connection, world, look: lookOf(flags, world), shows });
  });
}

function refuseCombinations(files: readonly string[], flags: Flags): void {
  const { from, dryRun, serverDryRun, wait, watch, log, output, scheduledTime } = flags;
  if (from && files.length > 0) throw badInput("cannot combine --from with file arguments");
  if (!from && files.length === 0) throw badInput(`Expected files to submit, or --from${fileFlagAdvice(flags)}`);
  if (dryRun && serverDryRun) throw badInput("--dry-run cannot be combined with --server-dry-run");
  const dry = dryRun ? "--dry-run" : serverDryRun ? "--server-dry-run" : undefined;
  if (dry && !output) throw badInput(`${dry} should have an output option`);
  const awaits = wait ? "--wait" : watch ? "--watch" : log ? "--log" : undefined;
  if (dry && awaits) throw badInput(`${awaits} cannot be combined with ${dry}`);
  if (scheduledTime && !/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(scheduledTime)) {
    throw badInput("scheduled-time contains invalid time.RFC3339 format. (e.g.: `2006-01-02T15:04:05-07:00`)");
  }
}

/** Reads the workflows of files, applies the flags, and checks them together with the templates of the cluster. */
async function fromFiles(
  files: readonly string[],
  { service, namespace }: Connection,
  { strict, ...options }: SubmitOptions & { readonly strict: boolean },
  world: World,
): Promise<Workflow[]> {
  const written = await readDocuments(files, world, strict ? "json" : "all");
  const documents = withOptions(written, options);
  const workflows = documentsOfKind(documents, "Workflow", world);
  const unreadable = documents.filter(({ source }) => source.errors.length > 0);
  const stored = await referredTemplates(service, namespace, workflows.map(objectOf));
  refuseProblems(checkAsServer([...workflows, ...unreadable], { stored, allowUnknownFields: !strict }));
  if (workflows.length === 0) throw badInput("no workflow found in given files");
  warnOfUnknownNames(written, stored, options, world);
  return workflows.map(workflowOf);
}
