/**
 * The static checks: everything that can be judged without running a test.
 *
 *     deno task check                  all of them
 *     deno task check fmt types        some of them
 *     deno task check voice cli        one of them with arguments of its script
 */
import { runCommand } from "./command.ts";

/** A static check. */
interface Check {
  /** The arguments of `deno` that run it. */
  readonly command: readonly string[];
  readonly about: string;
  /** Whether `deno task fix` can repair what it finds. */
  readonly isFixable?: boolean;
}

const script = (name: string, ...args: string[]) => ["run", "-A", `scripts/${name}.ts`, ...args];

/** The static checks by name. The longest come first, so that the short ones fill the gaps. */
export const CHECKS: Readonly<Record<string, Check>> = {
  types: { command: ["check", "--frozen", "."], about: "types, and whether deno.lock is up to date", isFixable: true },
  promises: { command: script("check_promises"), about: "every promise is awaited or handled" },
  lint: { command: ["lint"], about: "lint rules, including the project's own", isFixable: true },
  fmt: { command: ["fmt", "--check"], about: "formatting", isFixable: true },
  docs: { command: script("check_docs"), about: "links, YAML and command lines in Markdown files" },
  gen: { command: script("gen", "--check"), about: "generated files are up to date", isFixable: true },
  imports: { command: script("check_imports"), about: "import rules, no import cycles, no unused exports" },
  paths: { command: script("check_paths"), about: "paths named in comments and documents exist" },
  map: { command: script("map", "--check"), about: "every file and folder has a comment about its content" },
  voice: {
    command: script("check_voice"),
    about: "no phrase that CONTRIBUTING.md rules out, in the listed folders",
  },
};

/** The outcome of a check, ready to be printed. */
export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly output: string;
}

/** Runs a check; its script gets the flags. */
export async function runCheck(name: string, flags: readonly string[] = []): Promise<CheckResult> {
  const started = performance.now();
  const { passed, output } = await judge([Deno.execPath(), ...CHECKS[name]!.command, ...flags]);
  return { name, passed, seconds: (performance.now() - started) / 1000, output };
}

/**
 * Runs the command of a check. A command that a signal ended has judged nothing and is run once more: `deno lint` dies
 * of SIGSEGV now and then, in a thread of V8.
 */
export async function judge(command: readonly string[]): Promise<Pick<CheckResult, "passed" | "output">> {
  const run = () => runCommand(command, { env: { NO_COLOR: "1" } });
  const first = await run();
  const { code, signal, stdout, stderr } = first.signal === null ? first : await run();
  const ended = signal === null ? "" : `Ended twice by a signal, the second time by ${signal}`;
  return { passed: code === 0, output: `${stdout}${stderr}${ended}` };
}

/** The lines that report a check: one line if it passed, else its output as well. */
export function checkLines({ name, passed, seconds, output }: CheckResult): string[] {
  const line = `${passed ? "ok    " : "FAILED"} ${name} (${seconds.toFixed(1)} s)`;
  if (passed) return [line];
  const hint = CHECKS[name]!.isFixable ? ["Run `deno task fix` to repair what a program can repair"] : [];
  return [line, output.trimEnd(), ...hint];
}

if (import.meta.main) {
  const flags = Deno.args.filter((arg) => arg.startsWith("--"));
  const named = Deno.args.filter((arg) => !arg.startsWith("--"));
  const names = named.length > 0 ? named : Object.keys(CHECKS);
  const unknown = names.filter((name) => !(name in CHECKS));
  if (unknown.length > 0) {
    console.error(`Unknown check: ${unknown.join(", ")}. Available checks:`);
    for (const [name, { about }] of Object.entries(CHECKS)) console.error(`  ${name.padEnd(9)} ${about}`);
    Deno.exit(2);
  }
  let failed = 0;
  for (const name of names) {
    const result = await runCheck(name, flags);
    if (flags.length > 0 && result.passed) console.log(result.output.trimEnd());
    for (const line of checkLines(result)) console.log(line);
    if (!result.passed) failed++;
  }
  if (failed > 0) Deno.exit(1);
}
