/** Running the programs of this machine: the one way in which scripts and tests start a command and read its answer. */

/** The exit code and the output of a command. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The options of a command: its standard input, folder and environment (added to ours). */
export interface CommandOptions {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** Told of what the command says, as it comes. */
  readonly onText?: (text: string) => void;
}

/** Runs a command to its end and says how it ended; throws only when the program itself cannot be started. */
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
  const [{ code }, stdout, stderr] = await Promise.all([
    child.status,
    textOf(child.stdout, options.onText),
    textOf(child.stderr, options.onText),
  ]);
  return { code, stdout, stderr };
}

async function textOf(bytes: ReadableStream<Uint8Array<ArrayBuffer>>, onText = (_text: string) => {}): Promise<string> {
  const parts: string[] = [];
  for await (const text of bytes.pipeThrough(new TextDecoderStream())) {
    parts.push(text);
    onText(text);
  }
  return parts.join("");
}

/** The standard output of a command that must succeed; throws with its whole output when it does not. */
export async function outputOf(command: readonly string[], options: CommandOptions = {}): Promise<string> {
  const result = await runCommand(command, options);
  if (result.code !== 0) {
    const said = `${result.stdout}${result.stderr}`.trim();
    throw new Error(`\`${command.join(" ")}\` ended with ${result.code}: ${said}`);
  }
  return result.stdout;
}

/** Runs a command whose output belongs on our own; resolves to its exit code. */
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

/** Runs a command whose standard output belongs on our own, each line as `say` puts it; resolves to its exit code. */
export async function passThroughLines(
  [program = "", ...args]: readonly string[],
  say: (line: string) => string,
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
  for await (const line of linesOf(child.stdout)) console.log(say(line));
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

/** Whether a program of this name can be started from here. */
export async function hasProgram(name: string): Promise<boolean> {
  return (await runCommand(["sh", "-c", 'command -v "$1"', "sh", name])).code === 0;
}

/** Writes all bytes to our standard output, however many of them it takes at a time. */
export function writeAll(bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += Deno.stdout.writeSync(bytes.subarray(done));
}
