/**
 * The emissary, which runs a user's command in every container: waits until the pod is ready, runs the command in its
 * own process group, forwards signals, copies the outputs of main, and writes the exit code.
 */
import { pause } from "@tiphys/base/clock";
import { CONTAINER, ENV } from "@tiphys/base/constants";
import { waitForFile } from "@tiphys/base/watch";
import { collectOutputs } from "./collect.ts";
import { type CommandLine, findProgram, readCommandLine } from "../process/command_line.ts";
import { forgetExitCode, waitForAllExits, waitForExit, writeExitCode } from "../process/exit_code.ts";
import { DependencyError, describeError, messageOf, toExecutorError, writeTerminationMessage } from "../failure.ts";
import { type Inbox, openInbox } from "../process/inbox.ts";
import { markAlive } from "../pod/life.ts";
import { linkInputs } from "../before_main/link_inputs.ts";
import { waitUntilReady } from "../before_main/ready.ts";
import { type Child, runChild } from "../process/run_child.ts";
import { giveBackMemory } from "../process/give_back_memory.ts";
import { stageScript } from "../before_main/stage_script.ts";
import { mainContainers, type PodTemplate, readPodTemplate, readTemplate } from "../pod/template.ts";
import { containerFolder, graceSeconds, ownContainerName, type World } from "../world.ts";

/**
 * The time after which a command is likely to be long-running, in milliseconds. The memory that was needed to start it
 * is released then.
 */
const SETTLED_MILLIS = 500;

/** Runs a command as the work of this container. Resolves to the exit code of the container. */
export async function emissary(world: World, args: readonly string[]): Promise<number> {
  Deno.umask(0);
  const name = ownContainerName(world);
  world.files.makeFolder(containerFolder(world, name));
  using _ = markAlive(world, name);
  forgetExitCode(world, name);
  await using inbox = openInbox(world, name);
  try {
    const code = await run(world, name, args, inbox);
    writeExitCode(world, name, code);
    return code;
  } catch (error) {
    const failure = toExecutorError("command", error);
    writeTerminationMessage(world, messageOf(failure));
    world.log(failure.message);
    writeExitCode(world, name, failure instanceof DependencyError ? failure.dependencyCode : failure.code);
    return failure.code;
  }
}

async function run(world: World, name: string, args: readonly string[], inbox: Inbox): Promise<number> {
  const [word, ...rest] = await readCommandLine(world, args);
  if (world.env(ENV.waitForReady) === "true") await waitUntilReady(world, inbox.ended);
  const isAlone = world.env(ENV.singleContainer) === "true" && world.env(ENV.waitForReady) !== "true";
  const template = isAlone ? readPodTemplate(world) : readTemplate(world);
  if (isAlone) stageScript(world, template);
  else if (name === CONTAINER.main) await linkInputs(world, template);
  await waitForDependencies(world, template, name, inbox.ended);
  const program = await findProgram(world, word);
  await pauseForDebugging(world, name, "before", inbox.ended);
  inbox.ended.throwIfAborted();
  const code = await runAttempts(world, template, name, [program, ...rest], inbox);
  await pauseForDebugging(world, name, "after", inbox.ended);
  if (name === CONTAINER.main) await collectOutputs(world, template);
  return code;
}

/** Waits for the dependencies of a container in a container set, in the order of the template. */
async function waitForDependencies(
  world: World,
  template: PodTemplate,
  name: string,
  stop: AbortSignal,
): Promise<void> {
  const member = template.containerSet?.containers.find((container) => container.name === name);
  for (const dependency of member?.dependencies ?? []) {
    const code = await waitForExit(world, dependency, stop);
    if (code !== 0) throw new DependencyError(dependency, code);
  }
}

/** Waits until somebody creates the file `before` or `after` in the container's folder. */
async function pauseForDebugging(
  world: World,
  name: string,
  when: "before" | "after",
  stop: AbortSignal,
): Promise<void> {
  if (world.env(when === "before" ? ENV.pauseBefore : ENV.pauseAfter) !== "true") return;
  const file = `${containerFolder(world, name)}/${when}`;
  const look = () => Promise.resolve(world.files.tail(file, 0));
  await waitForFile(file, look, { signal: stop, clock: world.clock, warn: world.detail });
}

/**
 * Runs the command. If the container set has a retry strategy, a failed command is run again in the same container,
 * unless a signal requested the end.
 */
async function runAttempts(
  world: World,
  template: PodTemplate,
  name: string,
  command: CommandLine,
  inbox: Inbox,
): Promise<number> {
  const retry = template.containerSet?.retryStrategy;
  const attempts = Math.max(1, Number(retry?.retries) || 1);
  const isMain = mainContainers(template).includes(name);
  const isCaptured = world.env(ENV.includeScriptOutput) === "true" || template.archiveLocation?.archiveLogs === true;
  const captureFolder = isMain && isCaptured ? containerFolder(world, name) : undefined;
  for (let attempt = 1;; attempt++) {
    if (captureFolder) world.detail("capturing logs");
    const child = await runChild(world, command, captureFolder);
    inbox.deliverTo((signal) => child.kill(signal));
    const settled = world.clock.after(SETTLED_MILLIS, giveBackMemory);
    const code = isMain ? await child.exit : await serve(world, template, child);
    settled();
    inbox.deliverTo(undefined);
    if (code === 0 || attempt >= attempts || inbox.isTerminating) return code;
    const { durationMillis } = await import("../pod/duration_millis.ts");
    await pause(world.clock, durationMillis(retry?.duration), inbox.ended);
  }
}

/** Waits for the command of a sidecar, which receives SIGTERM, then SIGKILL, once all main containers have exited. */
async function serve(world: World, template: PodTemplate, child: Child): Promise<number> {
  const over = new AbortController();
  let takeBack = () => {};
  const ending = waitForAllExits(world, mainContainers(template), over.signal).then(() => {
    child.kill("SIGTERM");
    takeBack = world.clock.after(graceSeconds(world) * 1000, () => child.kill("SIGKILL"));
  }).catch((error) => {
    if (!over.signal.aborted) world.log(`cannot wait for the exit of main: ${describeError(error)}`);
  });
  try {
    return await child.exit;
  } finally {
    over.abort();
    await ending;
    takeBack();
  }
}
