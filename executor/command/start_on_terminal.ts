/** Starting a command whose output is kept and whose container has a terminal (`tty: true`): it gets one of its own. */
import { EXIT } from "../../lib/constants.ts";
import type { CommandLine } from "./command_line.ts";
import { openPty, type Pty } from "./pty.ts";
import { notStarted, type Started } from "./started.ts";
import type { Terminal } from "../world.ts";

/**
 * Starts a command as the leader of a session, with a pseudo terminal for its streams. What is typed at the container's
 * terminal is typed at the command's, which does the echoing.
 * @throws {ExecutorError} when it cannot be started, or there is no pseudo terminal.
 */
export async function startOnTerminal(
  container: Terminal,
  [program, ...args]: CommandLine,
): Promise<Started> {
  // Imported at the head of this file they would be loaded in front of every user's command.
  const [{ spawn }, { constants }] = await Promise.all([import("node:child_process"), import("node:os")]);
  const codeOfSignal = (signal: keyof typeof constants.signals) => 128 + constants.signals[signal];
  const pty = openPty();
  const resize = () => pty.resize(container.size());
  resize();
  const { commandSide } = pty;
  // Of all ways to start a process only this one takes descriptors.
  const child = spawn(program, args, { stdio: [commandSide, commandSide, commandSide], detached: true });
  pty.releaseCommandSide();
  const { pid } = child;
  if (pid === undefined) throw notStarted(program, await new Promise((resolve) => child.on("error", resolve)));
  const exit = new Promise<number>((resolve) => {
    child.on("exit", (code, signal) => resolve(code ?? (signal ? codeOfSignal(signal) : EXIT.undetermined)));
  });
  container.setRaw(true);
  // A terminal that breaks types no more; the command goes on.
  passOn(container, pty).catch(() => {});
  return {
    pid,
    exit: exit.finally(() => container.setRaw(false)),
    stdout: printedOn(pty),
    resize,
  };
}

/** Types what somebody types at the container's terminal, for as long as this process lives. */
async function passOn(container: Terminal, pty: Pty): Promise<void> {
  const bytes = new Uint8Array(1024);
  for (let count = await container.read(bytes); count !== null; count = await container.read(bytes)) {
    pty.write(bytes.subarray(0, count));
  }
}

function printedOn(pty: Pty): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isCancelled = false;
  return new ReadableStream({
    async pull(controller) {
      const bytes = await pty.read();
      if (isCancelled) return;
      if (bytes) controller.enqueue(bytes);
      else controller.close();
    },
    cancel() {
      isCancelled = true;
      pty.stop();
    },
  });
}
