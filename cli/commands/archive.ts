/** `tiphys archive`: workflows that are over and lie in a database. */
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
import { gather, parameterFlags, readInteger } from "../flags/submit_flags.ts";
import { warnOfUnknownToStarted } from "../input/submitted_documents.ts";
import { plain } from "../view/plain.ts";
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

/** The archive, connection, flags and world that an action on the archive needs. */
interface Acting {
  readonly archive: ArchiveService;
  readonly connection: Connection;
  readonly flags: Flags;
  readonly world: World;
}

type Act = (given: readonly string[], acting: Acting) => Promise<void>;

/** Makes the command. */
export function archiveCommand(world: World): Command {
  const subcommand = (name: string, act: Act) => commandOf(world, new Command(name), act);
  const withParameters = (command: Command) =>
    command.option("-p, --parameter <name=value>", "new value of a parameter; may be repeated", gather);
  return new Command("archive")
    .addCommand(
      subcommand("list", list)
        .option("-A, --all-namespaces", "workflows of all namespaces")
        .option("-l, --selector <labels>", "only workflows with these labels: `a=b,c!=d`")
        .option("--chunk-size <number>", "how many workflows each request returns at most")
        .addOption(outputOption("name", "json", "yaml", "wide")),
    )
    .addCommand(
      addIdFlags(subcommand("get", get).argument("<workflow>", "name or UID"))
        .addOption(outputOption("name", "json", "yaml", "wide")),
    )
    .addCommand(addIdFlags(subcommand("delete", remove).argument("<workflows...>", "names or UIDs")))
    .addCommand(
      withParameters(addChoice(subcommand("resubmit", resubmit)))
        .option("--memoized", "reuse the nodes that succeeded")
        .option("--priority <number>", "priority of the new workflow"),
    )
    .addCommand(
      withParameters(addChoice(subcommand("retry", retry)))
        .option("--restart-successful", "also run successful nodes that match --node-field-selector")
        .option("--node-field-selector <fields>", "nodes with these fields, such as `displayName=build`"),
    )
    .addCommand(subcommand("list-label-keys", labelKeys))
    .addCommand(
      subcommand("list-label-values", labelValues)
        .requiredOption("-l, --selector <key>", "the name of the label"),
    );
}

function commandOf(world: World, command: Command, act: Act): Command {
  return command.action(async (...args: readonly unknown[]) => {
    const self = args.at(-1) as Command;
    const flags = self.optsWithGlobals<Flags>();
    await withCluster(world, flags, async (connection) => {
      const { archive } = connection;
      if (!archive) {
        throw new CommandError(
          "The archive is read through a server: name one with --argo-server (ARGO_SERVER), or mean the embedded " +
            "cluster with --local",
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

function addChoice(command: Command): Command {
  return addAwaitFlags(addIdFlags(addSelectorFlags(command.argument("[workflows...]", "names or UIDs"))))
    .addOption(outputOption("name", "json", "yaml", "wide"));
}

async function list(_given: readonly string[], { archive, connection, flags, world }: Acting): Promise<void> {
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

/** The number of workflows that are asked for at a time. */
const PAGE = 500;

async function* pages(archive: ArchiveService, namespace: string | undefined, query: ArchiveQuery) {
  let next: string | undefined;
  do {
    const page = await archive.list(namespace, { limit: PAGE, ...query, continue: next });
    yield* page.items;
    next = page.continue;
  } while (next);
}

async function get([given = ""]: readonly string[], acting: Acting): Promise<void> {
  const { archive, flags, world } = acting;
  const workflow = await archive.get(await idOf(given, acting));
  // One line for each, as `argo` has it: scripts collect them.
  if (flags.output === "json") return world.out(`${JSON.stringify(workflow)}\n`);
  printWorkflow(world, workflow, flags);
}

async function remove(given: readonly string[], acting: Acting): Promise<void> {
  for (const one of given) {
    const id = await idOf(one, acting);
    await acting.archive.delete(id);
    acting.world.out(`Archived workflow '${plain(one)}' deleted\n`);
  }
}

async function resubmit(given: readonly string[], acting: Acting): Promise<void> {
  const { archive, flags } = acting;
  const priority = flags.priority === undefined ? undefined : readInteger("--priority", flags.priority);
  const { memoized } = flags;
  await actOnAll(given, acting, (id, parameters) => archive.resubmit(id, { memoized, priority, parameters }));
}

async function retry(given: readonly string[], acting: Acting): Promise<void> {
  const { archive, flags: { restartSuccessful, nodeFieldSelector } } = acting;
  if (restartSuccessful && !nodeFieldSelector) {
    throw badInput("Expected --node-field-selector beside --restart-successful: it says which nodes");
  }
  const options = { restartSuccessful, nodeFieldSelector };
  await actOnAll(given, acting, (id, parameters) => archive.retry(id, { ...options, parameters }));
}

/** Acts on each workflow that is meant, prints what came of it, and waits for it if that was asked for. */
async function actOnAll(
  given: readonly string[],
  acting: Acting,
  act: (id: ArchivedId, parameters: ParameterValues) => Promise<Workflow>,
): Promise<void> {
  const { connection, flags, world } = acting;
  const parameters = parameterFlags(flags.parameter);
  const made: string[] = [];
  for (const id of await idsOf(given, acting)) {
    if (parameters.size) warnOfUnknownToStarted(await acting.archive.get(id), parameters, world);
    const workflow = await act(id, parameters);
    printWorkflow(world, workflow, flags);
    made.push(workflow.metadata.name ?? "");
  }
  await awaitEndOfOne(made, flags, { ...connection, world, look: lookOf(flags, world) });
}

/** The workflows that are given, and those that the selectors mean, each once. */
async function idsOf(given: readonly string[], acting: Acting): Promise<ArchivedId[]> {
  const { archive, connection: { namespace }, flags: { selector, fieldSelector } } = acting;
  if (given.length === 0 && !selector && !fieldSelector) {
    throw badInput("Expected the name or the UID of a workflow, or a selector");
  }
  const ids = new Map<string, ArchivedId>();
  for (const one of given) {
    const id = await idOf(one, acting);
    ids.set(id.uid, id);
  }
  if (!selector && !fieldSelector) return [...ids.values()];
  for await (const { metadata } of pages(archive, namespace, { labelSelector: selector, fieldSelector })) {
    const { uid = "" } = metadata;
    ids.set(uid, { uid, namespace });
  }
  return [...ids.values()];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The one workflow that a text means, which is a UID if it has the form of one.
 * @throws {CommandError} when there is none of the name, or there are several.
 */
async function idOf(
  text: string,
  { archive, connection: { namespace }, flags, world }: Acting,
): Promise<ArchivedId> {
  if (flags.uid || !flags.name && UUID.test(text)) return { uid: text, namespace };
  const found: Workflow[] = [];
  for await (const workflow of pages(archive, namespace, { name: text })) found.push(workflow);
  const [one, another] = found;
  if (!one) throw new CommandError(`archived workflow '${text}' not found`);
  if (!another) return { uid: one.metadata.uid ?? "", namespace };
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

async function labelKeys(_given: readonly string[], { archive, connection, world }: Acting): Promise<void> {
  printLines(world, await archive.labelKeys(connection.namespace));
}

async function labelValues(_given: readonly string[], { archive, connection, flags, world }: Acting): Promise<void> {
  printLines(world, await archive.labelValues(flags.selector ?? "", connection.namespace));
}

function printLines(world: World, lines: readonly string[]): void {
  world.out(lines.map((line) => `${plain(line)}\n`).join(""));
}
