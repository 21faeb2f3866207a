/** `tiphys logs`. */
import { Command } from "commander";
import type { Pod } from "../../lib/api/mod.ts";
import { getWorkflow } from "../change_workflow.ts";
import { resolveName } from "../choose_workflows.ts";
import { badInput } from "../command_error.ts";
import { parseAge } from "../elapsed.ts";
import { lastState } from "../await_end.ts";
import { type GlobalFlags, lookOf, withCluster } from "../global_flags.ts";
import { paintName } from "../look.ts";
import { linesSoFar, LogFollower, type PodSelection } from "../pod_logs.ts";
import { readInteger } from "../submit_flags.ts";
import type { Connection, World } from "../world.ts";

interface Flags extends GlobalFlags {
  readonly container: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly grep?: string;
  readonly selector?: string;
  readonly since?: string;
  readonly sinceTime?: string;
  readonly tail?: string;
  readonly timestamps?: boolean;
}

/** Makes the command. */
export function logsCommand(world: World): Command {
  return new Command("logs").argument("<workflow>", "its name; @latest is the newest")
    .argument("[pod]", "only this pod")
    .option("-c, --container <name>", "what this container writes", "main")
    .option("-f, --follow", "go on until the workflow has ended")
    .option("-p, --previous", "what the container wrote before it was started anew")
    .option("--grep <pattern>", "only lines in which this regular expression is found")
    .option("-l, --selector <labels>", "only pods with these labels")
    .option("--since <age>", "only lines since then: `5s`, `2m`, `3h`")
    .option("--since-time <time>", "only lines since this moment (RFC 3339)")
    .option("--tail <lines>", "only so many lines of each pod, from the end")
    .option("--timestamps", "with the time of each line")
    .action((given: string, pod: string | undefined, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, (connection) => logs(given, pod, flags, connection, world));
    });
}

async function logs(
  given: string,
  podName: string | undefined,
  flags: Flags,
  connection: Connection,
  world: World,
): Promise<void> {
  const { client, namespace } = connection;
  const look = lookOf(flags, world);
  const matches = grep(flags.grep);
  const workflowName = await resolveName(client, namespace, given);
  await getWorkflow(client, namespace, workflowName);
  const { selector: labelSelector } = flags;
  const selection: PodSelection = {
    client,
    namespace,
    workflowName,
    podName,
    labelSelector,
    options: logOptions(flags),
  };
  const print = ({ metadata }: Pod, line: string) => {
    if (matches(line)) world.out(`${paintName(metadata.name ?? "", look)}: ${line}\n`);
  };
  if (!flags.follow) {
    for (const { pod, line } of await linesSoFar(selection)) {
      print(pod, flags.timestamps ? line : line.slice(line.indexOf(" ") + 1));
    }
    return;
  }
  const follower = new LogFollower(selection, print);
  try {
    await follower.start();
    await lastState(workflowName, connection);
    await follower.drained();
  } finally {
    follower.close();
  }
}

function logOptions(flags: Flags): PodSelection["options"] {
  const { container, previous, timestamps, since, sinceTime, tail } = flags;
  if (since && sinceTime) throw badInput("--since-time and --since cannot be used together");
  if (sinceTime && Number.isNaN(Date.parse(sinceTime))) {
    throw badInput(`Expected a moment such as 2006-01-02T15:04:05Z for --since-time, got "${sinceTime}"`);
  }
  const age = since ? parseAge(since) : undefined;
  if (since && age === undefined) throw badInput(`Expected an age such as 5s, 2m or 3h for --since, got "${since}"`);
  return {
    container,
    previous,
    timestamps,
    sinceTime,
    sinceSeconds: age === undefined ? undefined : age / 1000,
    tailLines: tail === undefined || tail === "-1" ? undefined : readInteger("--tail", tail),
  };
}

function grep(pattern: string | undefined): (line: string) => boolean {
  if (pattern === undefined) return () => true;
  try {
    const expression = new RegExp(pattern);
    return (line) => expression.test(line);
  } catch (error) {
    throw badInput(`Could not read the pattern of --grep: ${(error as Error).message}`);
  }
}
