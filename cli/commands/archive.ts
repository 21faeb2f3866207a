/** `tiphys archive`: finished workflows that are stored in a database. */
import { Command, Option } from "commander";
import type { Workflow } from "@tiphys/model/api";
import { timestamp } from "@tiphys/model/status";
import type { ParameterValues } from "@tiphys/engine/workflow_actions";
import type { ArchivedId, ArchiveQuery, ArchiveService } from "@tiphys/service";
import { addAwaitFlags, awaitEndOfOne, type AwaitFlags } from "../await_end.ts";
import { badInput, CommandError } from "../command_error.ts";
import { addSelectorFlags } from "../flags/choose_workflows.ts";
import { type GlobalFlags, lookOf, withCluster } from "../flags/global_flags.ts";
import { printWorkflow } from "../flags/print_workflow.ts";
import { collectValue, parameterFlags, readInteger } from "../flags/submit_flags.ts";
import { warnOfUnknownToStarted } from "../input/submitted_documents.ts";
import { escapeControls } from "../view/plain.ts";
import { type OutputForm, outputOption, printObjects } from "../view/print_object.ts";
import { workflowTable } from "../view/workflow_table.ts";
import type { Connection, World } from "../world.ts";

interface Flags extends GlobalFlags, AwaitFlags {
  readonly output?: OutputForm;
  readonly selector?: string;
  readonly fieldSelector?: string;
  readonly chunkSize?: string;
  readonly allNamespaces?: boolean;
  /** Whether the arguments are UIDs. */
  readonly uid?: boolean;
  /** Whether the arguments are names. */
  readonly name?: boolean;
  readonly memoized?: boolean;
  readonly priority?: string;
  readonly parameter?: readonly string[];
  readonly restartSuccessful?: boolean;
  readonly nodeFieldSelector?: string;
}

/** Arguments of an action on the archive. */
interface ArchiveContext {
  readonly archive: ArchiveService;
  readonly connection: Connection;
  readonly flags: Flags;
  readonly world: World;
}

type ArchiveAction = (args: readonly string[], context: ArchiveContext) => Promise<void>;

/** Creates the command `archive`. */
export function archiveCommand(world: World): Command {
  const subcommand = (name: string, act: ArchiveAction) => commandOf(world, new Command(name), act);
  const withParameters = (command: Command) =>
    command.option("-p, --parameter <name=value>", "new value of a parameter; may be repeated", collectValue);
  return new Command("archive")
    .addCommand(
      subcommand("list", list)
        .option("-A, --all-namespaces", "workflows of all namespaces")
        .option("-l, --selector <labels>", "only workflows with these labels: `a=b,c!=d`")
        .option("--chunk-size <number>", "maximum number of workflows that each request returns")
        .addOption(outputOption("name", "json", "yaml", "wide")),
    )
    .addCommand(
      addIdFlags(subcommand("get", get).argument("<workflow>", "name or UID"))
        .addOption(outputOption("name", "json", "yaml", "wide")),
    )
    .addCommand(addIdFlags(subcommand("delete", remove).argument("<workflows...>", "names or UIDs")))
    .addCommand(
      withParameters(addSelectionFlags(subcommand("resubmit", resubmit)))
        .option("--memoized", "reuse the nodes that succeeded")
        .option("--priority <number>", "priority of the new workflow"),
    )
    .addCommand(
      withParameters(addSelectionFlags(subcommand("retry", retry)))
        .option("--restart-successful", "also run successful nodes that match --node-field-selector")
        .option("--node-field-selector <fields>", "nodes with these fields, such as `displayName=build`"),
    )
    .addCommand(subcommand("list-label-keys", labelKeys))
    .addCommand(
      subcommand("list-label-values", labelValues)
        .requiredOption("-l, --selector <key>", "the name of the label"),
    );
}

function commandOf(world: World, command: Command, act: ArchiveAction): Command {
  return command.action(async (...args: readonly unknown[]) => {
    const self = args.at(-1) as Command;
    const flags = self.optsWithGlobals<Flags>();
    await withCluster(world, flags, async (connection) => {
      const { archive } = connection;
      if (!archive) {
        throw new CommandError(
          "The archive requires a server: set --argo-server (ARGO_SERVER), or use the embedded cluster with --local",
        );
      }
      await act(self.args, { archive, connection, flags, world });
    });
  });
}

function addIdFlags(command: Command): Command {
  return command
    .addOption(new Option("--uid", "the arguments are UIDs").conflicts("name"))
    .addOption(new Option("--name", "the arguments are names"));
}

function addSelectionFlags(command: Command): Command {
  return addAwaitFlags(addIdFlags(addSelectorFlags(command.argument("[workflows...]", "names or UIDs"))))
    .addOption(outputOption("name", "json", "yaml", "wide"));
}

async function list(_args: readonly string[], { archive, connection, flags, world }: ArchiveContext): Promise<void> {
  const namespace = flags.allNamespaces ? undefined : connection.namespace;
  const limit = flags.chunkSize === undefined ? PAGE : readInteger("--chunk-size", flags.chunkSize) || PAGE;
  const found: Workflow[] = [];
  for await (const workflow of pages(archive, namespace, { labelSelector: flags.selector, limit })) {
    found.push(workflow);
  }
  const { output } = flags;
  if (found.length === 0 && output !== "json" && output !== "yaml") return world.out("No workflows found\n");
  if (printObjects(world, found, output)) return;
  const columns = { withHeaders: true, withNamespace: true, isWide: true, withUid: true };
  world.out(workflowTable(found, columns, world.now()));
}

/** Maximum number of workflows of one request. */
const PAGE = 500;

async function* pages(archive: ArchiveService, namespace: string | undefined, query: ArchiveQuery) {
  let next: string | undefined;
  do {
    const page = await archive.list(namespace, { limit: PAGE, ...query, continue: next });
    yield* page.items;
    next = page.continue;
  } while (next);
}

async function get([requestedName = ""]: readonly string[], context: ArchiveContext): Promise<void> {
  const { archive, flags, world } = context;
  const workflow = await archive.get(await idOf(requestedName, context));
  // Like `argo`, prints JSON on one line for each workflow: scripts read it line by line.
  if (flags.output === "json") return world.out(`${JSON.stringify(workflow)}\n`);
  printWorkflow(world, workflow, flags);
}

async function remove(args: readonly string[], context: ArchiveContext): Promise<void> {
  for (const arg of args) {
    const id = await idOf(arg, context);
    await context.archive.delete(id);
    context.world.out(`Archived workflow '${escapeControls(arg)}' deleted\n`);
  }
}

async function resubmit(args: readonly string[], context: ArchiveContext): Promise<void> {
  const { archive, flags } = context;
  const priority = flags.priority === undefined ? undefined : readInteger("--priority", flags.priority);
  const { memoized } = flags;
  await actOnAll(args, context, (id, parameters) => archive.resubmit(id, { memoized, priority, parameters }));
}

async function retry(args: readonly string[], context: ArchiveContext): Promise<void> {
  const { archive, flags: { restartSuccessful, nodeFieldSelector } } = context;
  if (restartSuccessful && !nodeFieldSelector) {
    throw badInput("--restart-successful requires --node-field-selector, which selects the nodes");
  }
  const options = { restartSuccessful, nodeFieldSelector };
  await actOnAll(args, context, (id, parameters) => archive.retry(id, { ...options, parameters }));
}

/** Acts on each selected workflow, prints the result, and waits for it if the flags request that. */
async function actOnAll(
  args: readonly string[],
  context: ArchiveContext,
  act: (id: ArchivedId, parameters: ParameterValues) => Promise<Workflow>,
): Promise<void> {
  const { connection, flags, world } = context;
  const parameters = parameterFlags(flags.parameter);
  const made: string[] = [];
  for (const id of await idsOf(args, context)) {
    if (parameters.size) warnOfUnknownToStarted(await context.archive.get(id), parameters, world);
    const workflow = await act(id, parameters);
    printWorkflow(world, workflow, flags);
    made.push(workflow.metadata.name ?? "");
  }
  await awaitEndOfOne(made, flags, { ...connection, world, look: lookOf(flags, world) });
}

/** Returns the workflows that are named and those that match the selectors, without duplicates. */
async function idsOf(args: readonly string[], context: ArchiveContext): Promise<ArchivedId[]> {
  const { archive, connection: { namespace }, flags: { selector, fieldSelector }, world } = context;
  if (args.length === 0 && !selector && !fieldSelector) {
    throw badInput("Expected the name or the UID of a workflow, or a selector");
  }
  const ids = new Map<string, ArchivedId>();
  for (const arg of args) {
    const id = await idOf(arg, context);
    ids.set(id.uid, id);
  }
  if (!selector && !fieldSelector) return [...ids.values()];
  for await (const { metadata } of pages(archive, namespace, { labelSelector: selector, fieldSelector })) {
    const { uid = "" } = metadata;
    ids.set(uid, { uid, namespace });
  }
  if (ids.size === 0) world.err("No workflows found\n");
  return [...ids.values()];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the workflow of a name or UID. A text in the form of a UID is a UID, unless `--name` is set.
 * @throws {CommandError} when no workflow, or more than one, has the name.
 */
async function idOf(
  text: string,
  { archive, connection: { namespace }, flags, world }: ArchiveContext,
): Promise<ArchivedId> {
  if (flags.uid || !flags.name && UUID.test(text)) return { uid: text, namespace };
  const found: Workflow[] = [];
  for await (const workflow of pages(archive, namespace, { name: text })) found.push(workflow);
  const [first, another] = found;
  if (!first) throw new CommandError(`archived workflow '${text}' not found`);
  if (!another) return { uid: first.metadata.uid ?? "", namespace };
  const now = world.now();
  const lines = found.map(({ metadata, status }) =>
    `  ${metadata.uid} (Created: ${timestamp(metadata.creationTimestamp ?? "", now)}, Finished: ${
      timestamp(status?.finishedAt ?? "", now)
    })`
  );
  throw new CommandError(
    [`Multiple archived workflows found with name '${text}':`, ...lines, "Please specify the UID."].join("\n"),
  );
}

async function labelKeys(_args: readonly string[], { archive, connection, world }: ArchiveContext): Promise<void> {
  printLines(world, await archive.labelKeys(connection.namespace));
}

async function labelValues(
  _args: readonly string[],
  { archive, connection, flags, world }: ArchiveContext,
): Promise<void> {
  printLines(world, await archive.labelValues(flags.selector ?? "", connection.namespace));
}

function printLines(world: World, lines: readonly string[]): void {
  world.out(lines.map((line) => `${escapeControls(line)}\n`).join(""));
}
