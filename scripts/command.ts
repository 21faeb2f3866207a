/** Runs programs of this machine: the way in which scripts and tests start a command and read its output. */

/** The exit code and the output of a command. */
export interface CommandResult {
  readonly code: number;
  /** The signal that ended the command, for example SIGSEGV; null if it exited. */
  readonly signal: Deno.Signal | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The options of a command: standard input, folder, and additional environment variables. */
export interface CommandOptions {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** Receives output as it arrives. */
  readonly onText?: (text: string) => void;
}

/** Runs a command to its end and returns its exit code and output. @throws only if the program cannot be started. */
export async function runCommand(
  [program = "", ...args]: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const child = new Deno.Command(program, {
    args,
    cwd: options.cwd,
    env: options.env,
    stdin: options.input === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  if (options.input !== undefined) {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(options.input));
    await writer.close();
  }
  const [{ code, signal }, stdout, stderr] = await Promise.all([
    child.status,
    textOf(child.stdout, options.onText),
    textOf(child.stderr, options.onText),
  ]);
  return { code, signal, stdout, stderr };
}

async function textOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>, onText = (_text: string) => {}): Promise<string> {
  const parts: string[] = [];
  for await (const text of bytes.pipeThrough(new TextDecoderStream())) {
    parts.push(text);
    onText(text);
  }
  return parts.join("");
}

/** Returns the standard output of a command. @throws {Error} with its whole output when it fails. */
export async function outputOf(command: readonly string[], options: CommandOptions = {}): Promise<string> {
  const result = await runCommand(command, options);
  if (result.code !== 0) {
    const output = `${result.stdout}${result.stderr}`.trim();
    throw new Error(`\`${command.join(" ")}\` ended with ${result.code}: ${output}`);
  }
  return result.stdout;
}

/** Runs a command with inherited output; resolves to its exit code. */
export async function passThrough(
  [program = "", ...args]: readonly string[],
  options: CommandOptions = {},
): Promise<number> {
  const child = new Deno.Command(program, {
    args,
    cwd: options.cwd,
    env: options.env,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  return (await child.status).code;
}

/** Runs a command and prints each line of its standard output as converted by `convert`; resolves to its exit code. */
export async function passThroughLines(
  [program = "", ...args]: readonly string[],
  convert: (line: string) => string,
  options: CommandOptions = {},
): Promise<number> {
  const child = new Deno.Command(program, {
    args,
    cwd: options.cwd,
    env: options.env,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  for await (const line of linesOf(child.stdout)) console.log(convert(line));
  return (await child.status).code;
}

async function* linesOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let begun = "";
  for await (const text of bytes.pipeThrough(new TextDecoderStream())) {
    const lines = `${begun}${text}`.split("\n");
    begun = lines.pop() ?? "";
    yield* lines;
  }
  if (begun !== "") yield begun;
}

/** Whether a program with this name can be started. */
export async function hasProgram(name: string): Promise<boolean> {
  return (await runCommand(["sh", "-c", 'command -v "$1"', "sh", name])).code === 0;
}

/** Writes all bytes to standard output. */
export function writeAll(bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += Deno.stdout.writeSync(bytes.subarray(done));
}
