/**
 * Start of a command in a container with a terminal (`tty: true`) whose output is captured: the command gets its own
 * terminal.
 */
import { EXIT } from "@tiphys/base/constants";
import type { CommandLine } from "./command_line.ts";
import { openPty, type Pty } from "./pty.ts";
import { type StartedCommand, startError } from "./started.ts";
import type { Terminal } from "../world.ts";

/**
 * Starts a command as a session leader with a pseudo terminal as its streams. Input at the container's terminal is
 * passed to the command's terminal, which also echoes it.
 * @throws {ExecutorError} when the command cannot be started or no pseudo terminal is available.
 */
export async function startOnTerminal(
  container: Terminal,
  [program, ...args]: CommandLine,
): Promise<StartedCommand> {
  // Imported on demand: a static import would slow down the start of every user's command.
  const [{ spawn }, { constants }] = await Promise.all([import("node:child_process"), import("node:os")]);
  const codeOfSignal = (signal: keyof typeof constants.signals) => 128 + constants.signals[signal];
  const pty = openPty();
  const resize = () => pty.resize(container.size());
  resize();
  const { commandSide } = pty;
  // Deno.Command cannot pass file descriptors as streams; only node:child_process can.
  const child = spawn(program, args, { stdio: [commandSide, commandSide, commandSide], detached: true });
  pty.releaseCommandSide();
  const { pid } = child;
  if (pid === undefined) throw startError(program, await new Promise((resolve) => child.on("error", resolve)));
  const exit = new Promise<number>((resolve) => {
    child.on("exit", (code, signal) => resolve(code ?? (signal ? codeOfSignal(signal) : EXIT.undetermined)));
  });
  container.setRaw(true);
  // If the container's terminal fails, the command keeps running without input.
  forwardInput(container, pty).catch(() => {});
  return {
    pid,
    exit: exit.finally(() => container.setRaw(false)),
    stdout: readTerminal(pty),
    endOutput: pty.stop,
    resize,
  };
}

/** Passes the input of the container's terminal to the command for as long as this process runs. */
async function forwardInput(container: Terminal, pty: Pty): Promise<void> {
  const bytes = new Uint8Array(1024);
  for (let count = await container.read(bytes); count !== null; count = await container.read(bytes)) {
    pty.write(bytes.subarray(0, count));
  }
}

function readTerminal(pty: Pty): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const bytes = await pty.read();
      if (bytes) controller.enqueue(bytes);
      else controller.close();
    },
  });
}
