/**
 * Artifact plugins: third-party servers in separate containers. Next to main (`artifact-plugin-sidecar`), a server
 * runs until the supervisor has loaded and saved everything. As an init container of the legacy layout
 * (`artifact-plugin-init`), it runs while its inputs are loaded.
 */
import { EXIT, PATH } from "@tiphys/base/constants";
import { findProgram, readCommandLine } from "../process/command_line.ts";
import { confineSharedFiles } from "../pod/confined_files.ts";
import { forgetExitCode, writeExitCode } from "../process/exit_code.ts";
import { describeError, ExecutorError, messageOf, toExecutorError, writeTerminationMessage } from "../failure.ts";
import { openInbox } from "../process/inbox.ts";
import { markAlive } from "../pod/life.ts";
import { type Child, runChild } from "../process/run_child.ts";
import { KEEPS_LISTENERS, receiveSignals } from "../process/signals.ts";
import { loadInputs } from "./stage.ts";
import { readPodTemplate } from "../pod/template.ts";
import { at, containerFolder, ownContainerName, type World } from "../world.ts";

/**
 * `argoexec artifact-plugin-sidecar -- COMMAND...`: runs a plugin's server and resolves to its exit code. Process
 * signals are ignored: the kubelet sends SIGTERM to all containers at once, but outputs are saved through the plugin
 * after that. The server ends when its signal file requests it.
 */
export async function artifactPluginSidecar(world: World, args: readonly string[]): Promise<number> {
  Deno.umask(0);
  const name = ownContainerName(world);
  confineSharedFiles(world);
  world.files.makeFolder(containerFolder(world, name));
  using _life = markAlive(world, name);
  forgetExitCode(world, name);
  using _ignored = ignoreSignals();
  const code = await runServer(world, name, args);
  writeExitCode(world, name, code);
  return code;
}

async function runServer(world: World, name: string, args: readonly string[]): Promise<number> {
  const over = new AbortController();
  try {
    const server = await startServer(world, args);
    const listening = receiveSignals(world, name, (signal) => server.kill(signal), over.signal)
      .catch((error) => world.log(`no longer receiving signals by file: ${describeError(error)}`));
    const code = await server.exit;
    over.abort();
    await listening;
    return code;
  } catch (error) {
    writeTerminationMessage(world, messageOf(toExecutorError("command", error)));
    world.log(describeError(error));
    return EXIT.executorError;
  }
}

async function startServer(world: World, args: readonly string[]): Promise<Child> {
  const [program, ...rest] = await readCommandLine(world, args);
  return runChild(world, [await findProgram(world, program), ...rest]);
}

const IGNORED: readonly Deno.Signal[] = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"];

function ignoreSignals(): Disposable {
  const ignore = () => {};
  for (const signal of IGNORED) Deno.addSignalListener(signal, ignore);
  return {
    [Symbol.dispose]() {
      if (!KEEPS_LISTENERS) { for (const signal of IGNORED) Deno.removeSignalListener(signal, ignore); }
    },
  };
}

/**
 * `argoexec artifact-plugin-init --plugin-name NAME -- COMMAND...`: runs a plugin's server while its inputs are loaded.
 */
export async function artifactPluginInit(world: World, args: readonly string[]): Promise<number> {
  Deno.umask(0);
  const plugin = args.includes("--plugin-name") ? args[args.indexOf("--plugin-name") + 1] : undefined;
  if (plugin === undefined) throw new ExecutorError("Expected the flag --plugin-name");
  const name = ownContainerName(world);
  world.files.makeFolder(at(world, `${PATH.artifactPlugins}/${plugin}`));
  confineSharedFiles(world);
  world.files.makeFolder(containerFolder(world, name));
  await using inbox = openInbox(world, name);
  const template = await readPodTemplate(world);
  const server = await startServer(world, args);
  const ended = new AbortController();
  void server.exit.then((code) => ended.abort(new ExecutorError(`its server ended with exit code ${code}`)));
  try {
    await loadInputs(world, template, { plugins: [plugin] }, AbortSignal.any([inbox.ended, ended.signal]));
    return 0;
  } finally {
    server.kill("SIGKILL");
    await server.exit;
  }
}
