/**
 * The emissary: stands in front of a user's command in every container. Waits until the pod is ready, runs the command
 * in its own process group, passes signals on, collects what `main` leaves behind, and says how it ended (spec/pods 4).
 */
import { ENV, EXIT, OFFLOAD_LIMIT_BYTES, PATH } from "../lib/constants.ts";
import { readMarker, untilFile } from "../lib/watch/mod.ts";
import { collectOutputs } from "./collect.ts";
import { untilAllExited, untilExited, writeExitCode } from "./exit_code.ts";
import { describe, ExecutorError, writeTerminationMessage } from "./failure.ts";
import { linkInputs } from "./link_inputs.ts";
import { findInPath, runChild } from "./run_child.ts";
import { receiveSignals, signalName } from "./signals.ts";
import { mainContainers, type PodTemplate, readTemplate } from "./template.ts";
import { at, containerFolder, makeSharedFolder, ownName, type World } from "./world.ts";

/** A supervisor that says nothing for so long is gone; one that starts late gets more time. Milliseconds. */
const SILENCE_MILLIS = 30_000;
const APPEARANCE_MILLIS = 120_000;
const DEFAULT_GRACE_SECONDS = 30;

/** Runs a command as this container's work; resolves to the exit code of the container. */
export async function emissary(world: World, args: readonly string[]): Promise<number> {
  const name = ownName(world);
  await makeSharedFolder(containerFolder(world, name));
  let code: number;
  try {
    code = await run(world, name, args);
  } catch (error) {
    code = error instanceof ExecutorError ? error.code : EXIT.executorError;
    const prefix = code === EXIT.preMainFailed ? "argoexec pre-main: " : "";
    await writeTerminationMessage(world, `${prefix}${describe(error)}`);
    world.log(describe(error));
  }
  await writeExitCode(world, name, code);
  return code;
}

async function run(world: World, name: string, args: readonly string[]): Promise<number> {
  const command = await wholeCommand(world, args);
  if (world.env(ENV.waitForReady) === "true") await untilReady(world);
  const template = await readTemplate(world);
  if (name === "main") await stage(world, template);

  const forced = await waitForDependencies(world, template, name);
  if (forced !== undefined) return forced;
  const program = await findInPath(world, command[0]);
  const code = await runAttempts(world, template, name, [program, ...command.slice(1)]);
  if (name === "main") await collectOutputs(world, template);
  return code;
}

/** The words after `--`, and those that went through a file because they were too long. */
async function wholeCommand(world: World, args: readonly string[]): Promise<string[]> {
  const words = args.slice(args.indexOf("--") + 1);
  const file = world.env(ENV.containerArgsFile);
  if (file) words.push(...JSON.parse(await Deno.readTextFile(at(world, file))) as string[]);
  if (words.length === 0) throw new ExecutorError("Expected a command after --");
  return await Promise.all(words.map(async (word, index) => {
    if (new TextEncoder().encode(word).length <= OFFLOAD_LIMIT_BYTES) return word;
    // No program can be given a single word this long; most read a file named like this instead.
    const long = `/tmp/argo_arg_${index}.txt`;
    await Deno.writeTextFile(at(world, long), word);
    return `@${long}`;
  }));
}

/** Waits for the supervisor's READY; its FAILED, or its silence, ends this container without running anything. */
async function untilReady(world: World): Promise<void> {
  const file = at(world, PATH.status);
  const began = Date.now();
  await untilFile(file, async () => {
    const found = await readMarker(file);
    if (!found) {
      if (Date.now() - began < APPEARANCE_MILLIS) return undefined;
      throw lost(`status marker never appeared within ${APPEARANCE_MILLIS / 1000}s`);
    }
    const { marker, writtenAt } = found;
    if (marker.kind === "READY") return true;
    if (marker.kind === "FAILED") {
      throw new ExecutorError(`supervisor reported pre-main failure: ${marker.message}`, EXIT.preMainFailed);
    }
    if (Date.now() - writtenAt < SILENCE_MILLIS) return undefined;
    throw lost(`no status update within ${SILENCE_MILLIS / 1000}s`);
  });
}

function lost(why: string): ExecutorError {
  return new ExecutorError(`supervisor presumed dead: ${why}`, EXIT.preMainFailed);
}

async function stage(world: World, template: PodTemplate): Promise<void> {
  try {
    await linkInputs(world, template);
  } catch (error) {
    throw new ExecutorError(describe(error), EXIT.stagingFailed, { cause: error });
  }
}

/** A member of a container set waits for those it depends on; returns a code when it must not run. */
async function waitForDependencies(world: World, template: PodTemplate, name: string): Promise<number | undefined> {
  const member = template.containerSet?.containers.find((container) => container.name === name);
  const stop = new AbortController();
  let killedBy: number | undefined;
  const onSignal = (signal: number) => {
    killedBy = signal;
    stop.abort(new Error("signalled"));
  };
  const onTerm = () => onSignal(15);
  Deno.addSignalListener("SIGTERM", onTerm);
  const listening = receiveSignals(world, name, onSignal, stop.signal);
  try {
    for (const dependency of member?.dependencies ?? []) {
      const code = await untilExited(world, dependency, stop.signal);
      if (code === 0) continue;
      world.log(`dependency "${dependency}" exited with non-zero code: ${code}`);
      return code;
    }
    return undefined;
  } catch (error) {
    if (killedBy === undefined) throw error;
    return 128 + killedBy;
  } finally {
    Deno.removeSignalListener("SIGTERM", onTerm);
    stop.abort(new Error("over"));
    await listening;
  }
}

/** Runs the command; again, within this container, where a container set asks for retries. */
async function runAttempts(world: World, template: PodTemplate, name: string, command: string[]): Promise<number> {
  const retry = template.containerSet?.retryStrategy;
  const attempts = Math.max(1, Number(retry?.retries ?? 1));
  const isMain = mainContainers(template).includes(name);
  const capture = isMain &&
    (world.env(ENV.includeScriptOutput) === "true" || template.archiveLocation?.archiveLogs === true);
  let code = 0;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    code = await runOnce(world, template, { name, command, capture, isMain });
    if (code === 0 || attempt === attempts) break;
    await pause(retry?.duration);
  }
  return code;
}

async function runOnce(
  world: World,
  template: PodTemplate,
  run: { name: string; command: string[]; capture: boolean; isMain: boolean },
): Promise<number> {
  const over = new AbortController();
  const child = runChild(run.command, { captureFolder: run.capture ? containerFolder(world, run.name) : undefined });
  const listening = receiveSignals(world, run.name, (signal) => child.kill(signalName(signal)), over.signal);
  const serving = run.isMain ? undefined : endWithMain(world, template, child, over.signal);
  try {
    return await child.exit;
  } finally {
    over.abort(new Error("over"));
    await Promise.all([listening, serving]);
  }
}

/** A sidecar serves the main containers; when they have all ended so does it. */
async function endWithMain(
  world: World,
  template: PodTemplate,
  child: ReturnType<typeof runChild>,
  over: AbortSignal,
): Promise<void> {
  try {
    await untilAllExited(world, mainContainers(template), over);
    child.kill("SIGTERM");
    const grace = Number(world.env(ENV.terminationGracePeriodSeconds) ?? DEFAULT_GRACE_SECONDS);
    const timer = setTimeout(() => child.kill("SIGKILL"), grace * 1000);
    over.addEventListener("abort", () => clearTimeout(timer), { once: true });
  } catch (error) {
    if (!over.aborted) throw error;
  }
}

async function pause(duration: string | undefined): Promise<void> {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(duration ?? "");
  if (!match) return;
  const unit = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[match[2] ?? "s"]!;
  await new Promise((resolve) => setTimeout(resolve, Number(match[1]) * unit));
}
