/** The flags `--wait`, `--watch` and `--log` of submit, retry and resubmit. */
import { type Command, Option } from "commander";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { systemClock } from "@tiphys/base/clock";
import { hasFinished } from "@tiphys/model/status";
import { badInput, CommandError, endWith, EXIT_CODE } from "./command_error.ts";
import { clusterFlagsText } from "./view/cluster_flags.ts";
import { liveView } from "./view/live_view.ts";
import { type Look, paintName } from "./view/look.ts";
import type { OutputForm } from "./view/print_object.ts";
import type { Connection, World } from "./world.ts";

/** The flags as commander reads them. */
export interface AwaitFlags {
  readonly wait?: boolean;
  readonly watch?: boolean;
  readonly log?: boolean;
  /** Output form. With a form that scripts parse, the line about the end of the workflow is not printed. */
  readonly output?: OutputForm;
}

/** Adds the flags to a command. */
export function addAwaitFlags(command: Command): Command {
  return command
    .option("-w, --wait", "wait until the workflow has finished")
    .addOption(new Option("--watch", "show the workflow until it has finished").conflicts("wait"))
    .option("--log", "print the logs of its pods until it has finished");
}

/** Options of waiting for workflows. */
export interface AwaitOptions extends Connection {
  readonly world: World;
  readonly look: Look;
  /** Selects the nodes that a watch shows; all nodes by default. */
  readonly shows?: ((node: NodeStatus) => boolean) | undefined;
}

/**
 * Waits for, watches or logs a single workflow. With several workflows it only prints a warning, as `argo` does not
 * wait for them either.
 * @throws {CommandError} as {@link awaitEnd}.
 */
export async function awaitEndOfOne(names: readonly string[], flags: AwaitFlags, options: AwaitOptions): Promise<void> {
  if (names.length === 1) return await awaitEnd(names, flags, options);
  const flag = flags.wait ? "--wait" : flags.watch ? "--watch" : flags.log ? "--log" : undefined;
  if (flag && names.length > 1) {
    options.world.err(`${flag} has no effect with ${names.length} workflows: it accepts one\n`);
  }
}

/**
 * Waits for, watches or logs workflows, depending on the flags. Returns immediately without any of the flags.
 * @throws {CommandError} with exit code 1 when one of the workflows did not succeed.
 */
export async function awaitEnd(names: readonly string[], flags: AwaitFlags, options: AwaitOptions): Promise<void> {
  refuseToWatchSeveral(names.length, flags);
  if (!flags.wait && !flags.watch && !flags.log) return;
  const ends = await Promise.all(names.map((name) => awaitOne(name, flags, options)));
  if (ends.some((workflow) => workflow?.status?.phase !== "Succeeded")) throw endWith(EXIT_CODE.failed);
}

/** @throws {CommandError} for `--watch` with more than one workflow. */
export function refuseToWatchSeveral(count: number, flags: AwaitFlags): void {
  if (flags.watch && count > 1) throw badInput("cannot watch more than one workflow");
}

async function awaitOne(name: string, flags: AwaitFlags, options: AwaitOptions): Promise<Workflow | undefined> {
  if (flags.watch) return await watchWorkflow(name, options);
  if (flags.log) return await logWorkflow(name, options);
  const end = await lastState(name, options);
  if (flags.output === undefined || flags.output === "wide") options.world.out(endLine(name, end));
  return end;
}

/** Shows a workflow until it has finished. */
export async function watchWorkflow(name: string, options: AwaitOptions): Promise<Workflow | undefined> {
  const view = liveView(options.world, options.look, { shows: options.shows });
  try {
    return await lastState(name, options, (workflow) => view.update(workflow), (line) => view.line(line));
  } finally {
    view.close();
  }
}

/** Delay before the user is notified that a workflow has no phase yet, in milliseconds. */
const UNSEEN_MILLIS = 10_000;

/**
 * Follows a workflow until it has finished or is deleted, and returns its last state. Notifies the user if no
 * controller sets its phase.
 * @param onChange receives each state.
 * @param notify receives the notice; by default it is printed to the standard error.
 * @throws {CommandError} for an unfinished workflow of an embedded cluster that no process runs.
 */
export async function lastState(
  name: string,
  { world, ...connection }: Connection & { readonly world: World },
  onChange: (workflow: Workflow) => void = () => {},
  notify = (line: string) => world.err(`${line}\n`),
): Promise<Workflow | undefined> {
  let last: Workflow | undefined;
  const cancelNotice = (world.clock ?? systemClock).after(UNSEEN_MILLIS, () => {
    notify(`No controller has started workflow ${name} yet. Check that one runs and manages its namespace`);
  });
  try {
    for await (const workflow of connection.service.follow(connection.namespace, name)) {
      last = workflow;
      if (!hasFinished(workflow)) requireRunning(connection);
      if (workflow.status?.phase) cancelNotice();
      onChange(workflow);
    }
  } finally {
    cancelNotice();
  }
  return last;
}

/** @throws {CommandError} for an embedded cluster that no process runs: its workflows make no progress. */
export function requireRunning({ idle }: Pick<Connection, "idle">): void {
  if (idle === undefined) return;
  const flags = clusterFlagsText({ data: idle });
  throw new CommandError(
    `No embedded cluster runs with data folder ${idle}: start one with  tiphys local${flags},  or run the workflow with  tiphys run FILE${flags}\n` +
      "To use another cluster, set --kubeconfig, --context or --argo-server",
  );
}

/** Returns the line that `wait` prints for a workflow that has finished or was deleted. */
export function endLine(name: string, workflow: Workflow | undefined): string {
  const { phase, finishedAt } = workflow?.status ?? {};
  return finishedAt ? `${name} ${phase} at ${timeInGoFormat(finishedAt)}\n` : `${name} was deleted\n`;
}

/** Formats a time as Go prints it, because scripts parse the lines of `argo wait`. */
function timeInGoFormat(time: string): string {
  return `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} +0000 UTC`;
}

async function logWorkflow(name: string, options: AwaitOptions): Promise<Workflow | undefined> {
  const { service, namespace, world, look } = options;
  const print = async () => {
    for await (const { podName, line } of service.logs(namespace, name, { follow: true })) {
      world.out(`${paintName(podName, look)}: ${line}\n`);
    }
  };
  const [end] = await Promise.all([lastState(name, options), print()]);
  return end;
}
