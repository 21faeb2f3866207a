/** Programs that outlive the process that started them. Each has a log and a PID file in the cluster's folder. */
import { outputOf } from "../../scripts/command.ts";
import { awaitFact } from "../await_fact.ts";

/** A program to start in the cluster's network. */
export interface Daemon {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Record<string, string>;
}

/** Starts a program in the background, inside the network namespace, in the cluster's folder. */
export async function startDaemon(directory: string, namespace: string, daemon: Daemon): Promise<void> {
  const inNamespace = ["nsenter", `--net=/run/netns/${namespace}`, ...daemon.command];
  const script = 'log=$1; shift; setsid "$@" >"$log" 2>&1 </dev/null & echo $!';
  const pid = await outputOf(["sh", "-c", script, "sh", `${directory}/log/${daemon.name}.log`, ...inNamespace], {
    cwd: directory,
    env: daemon.env,
  });
  await Deno.writeTextFile(pidFile(directory, daemon.name), `${pid.trim()} ${startTime(pid.trim())}\n`);
}

/** Whether a daemon runs. Its PID does not count when another process has it by now. */
export function isRunning(directory: string, name: string): boolean {
  return runningPid(directory, name) !== undefined;
}

/** Terminates a daemon, and kills it after ten seconds. A no-op when it does not run. */
export async function stopDaemon(directory: string, name: string): Promise<void> {
  const pid = runningPid(directory, name);
  if (pid === undefined) return;
  Deno.kill(pid, "SIGTERM");
  try {
    await awaitFact(`${name} ended`, () => !isRunning(directory, name), { seconds: 60 });
  } catch {
    Deno.kill(pid, "SIGKILL");
    await awaitFact(`${name} was killed`, () => !isRunning(directory, name), { seconds: 60 });
  }
}

function runningPid(directory: string, name: string): number | undefined {
  let text: string;
  try {
    text = Deno.readTextFileSync(pidFile(directory, name));
  } catch {
    return undefined;
  }
  const [pid = "", started] = text.trim().split(" ");
  return startTime(pid) === started ? Number(pid) : undefined;
}

/**
 * The start time of a process in ticks since boot: together with the PID, it identifies a process uniquely. `gone` when
 * the process does not exist or is dead.
 */
function startTime(pid: string): string {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, started = "gone"] = [fields[0], fields[19]];
    return state === "Z" ? "gone" : started;
  } catch {
    return "gone";
  }
}

function pidFile(directory: string, name: string): string {
  return `${directory}/run/${name}.pid`;
}
