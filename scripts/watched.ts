/** Commands that print steadily: one that stops printing is interrupted, so that it names what it waits for. */
import { type CommandOptions, writeAll } from "./command.ts";

/** The time between SIGINT and SIGKILL, in milliseconds. */
const GRACE_MS = 20_000;

/** The time for which processes that a command left running may hold its output open, in milliseconds. */
const OUTPUT_MS = 5_000;

/** The end of a watched command: its exit code, and whether it was interrupted because it had stopped printing. */
export interface WatchResult {
  readonly code: number;
  readonly wasSilent: boolean;
}

/** The options of a watched command. */
export interface WatchOptions extends Pick<CommandOptions, "cwd" | "env"> {
  /** Whether a line shows progress; every line does when absent. */
  readonly isProgress?: (line: string) => boolean;
  readonly write?: (bytes: Uint8Array) => void;
}

/**
 * Runs a command and passes its standard output and error to `write`. After `silentMs` milliseconds without a line of
 * progress the command gets SIGINT, at which `deno test` names the running tests, and 20 seconds later SIGKILL.
 */
export async function passThroughWatched(
  [program = "", ...args]: readonly string[],
  silentMs: number,
  options: WatchOptions = {},
): Promise<WatchResult> {
  const { cwd, env, isProgress = () => true, write = writeAll } = options;
  const child = new Deno.Command(program, { args, cwd, env, stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
  let wasSilent = false;
  let killing: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    wasSilent = true;
    signal(child, "SIGINT");
    killing = setTimeout(() => signal(child, "SIGKILL"), GRACE_MS);
  };
  let silence = setTimeout(end, silentMs);
  const pump = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    const decoder = new TextDecoder();
    let begun = "";
    for await (const bytes of stream) {
      write(bytes);
      const lines = `${begun}${decoder.decode(bytes, { stream: true })}`.split("\n");
      begun = lines.pop()!;
      if (!lines.some(isProgress)) continue;
      clearTimeout(silence);
      if (!wasSilent) silence = setTimeout(end, silentMs);
    }
  };
  try {
    const output = Promise.all([pump(child.stdout), pump(child.stderr)]);
    const { code } = await child.status;
    await Promise.race([output, new Promise((resolve) => patience = setTimeout(resolve, OUTPUT_MS))]);
    return { code, wasSilent };
  } finally {
    for (const timer of [silence, killing, patience]) clearTimeout(timer);
  }
}

function signal(child: Deno.ChildProcess, name: Deno.Signal): void {
  try {
    child.kill(name);
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof Deno.errors.NotFound || error instanceof TypeError)) throw error;
  }
}
