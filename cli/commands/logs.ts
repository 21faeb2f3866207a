/** `tiphys logs`. */
import { Command } from "commander";
import { type LogRequest, resolveName } from "@tiphys/service";
import { hasFinished } from "@tiphys/model/status";
import { requireRunning } from "../await_end.ts";
import { badInput } from "../command_error.ts";
import { parseAge } from "../flags/parse_age.ts";
import { type GlobalFlags, lookOf, withCluster } from "../flags/global_flags.ts";
import { checkPattern } from "../input/check_pattern.ts";
import { paintName } from "../view/look.ts";
import { readInteger } from "../flags/submit_flags.ts";
import { escapeControls } from "../view/plain.ts";
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

/** Creates the command `logs`. */
export function logsCommand(world: World): Command {
  return new Command("logs").argument("<workflow>", "name; @latest is the newest")
    .argument("[pod]", "name of a pod")
    .option("-c, --container <name>", "container whose log is printed", "main")
    .option("-f, --follow", "follow the logs until the workflow has finished")
    .option("-p, --previous", "log of the container before its last restart")
    .option("--grep <pattern>", "only lines that match this regular expression")
    .option("-l, --selector <labels>", "only pods with these labels")
    .option("--since <age>", "only lines of this last time, such as `5s`, `2m` or `3h`")
    .option("--since-time <time>", "only lines since this time (RFC 3339)")
    .option("--tail <lines>", "number of lines of each pod, from the end")
    .option("--timestamps", "print the time of each line")
    .action((requestedName: string, pod: string | undefined, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>();
      return withCluster(world, flags, (connection) => logs(requestedName, pod, flags, connection, world));
    });
}

async function logs(
  requestedName: string,
  podName: string | undefined,
  flags: Flags,
  { service, namespace, ...connection }: Connection,
  world: World,
): Promise<void> {
  const look = lookOf(flags, world);
  checkPattern(flags.grep);
  const workflowName = await resolveName(service, namespace, requestedName);
  const workflow = await service.get(namespace, workflowName);
  if (flags.follow && !hasFinished(workflow)) requireRunning(connection);
  let found = false;
  for await (const { podName: pod, line } of service.logs(namespace, workflowName, { podName, ...logRequest(flags) })) {
    world.out(`${paintName(pod, look)}: ${line}\n`);
    found = true;
  }
  if (!found) world.err(`${escapeControls(nothingFound(workflowName, podName, flags))}\n`);
}

/** Returns a notice that names the request that matched no line: a name in it may be misspelled. */
function nothingFound(workflowName: string, podName: string | undefined, { container, grep, selector }: Flags): string {
  const pods = podName ? `the pod ${podName}` : selector ? `pods with ${selector}` : "its pods";
  const lines = grep ? `No lines that match ${JSON.stringify(grep)}` : "No lines";
  return `${lines} found for workflow ${workflowName}: container ${container} of ${pods}`;
}

function logRequest(flags: Flags): LogRequest {
  const { container, follow, previous, timestamps, since, sinceTime, tail, grep, selector } = flags;
  if (since && sinceTime) throw badInput("--since-time and --since cannot be used together");
  if (sinceTime && Number.isNaN(Date.parse(sinceTime))) {
    throw badInput(`Expected a time such as 2006-01-02T15:04:05Z for --since-time, got "${sinceTime}"`);
  }
  const age = since ? parseAge(since) : undefined;
  if (since && age === undefined) throw badInput(`Expected an age such as 5s, 2m or 3h for --since, got "${since}"`);
  return {
    labelSelector: selector,
    container,
    follow,
    grep,
    previous,
    timestamps,
    sinceTime,
    sinceSeconds: age === undefined ? undefined : age / 1000,
    tailLines: tail === undefined || tail === "-1" ? undefined : readInteger("--tail", tail),
  };
}
