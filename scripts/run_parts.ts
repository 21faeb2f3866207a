/** Runs the parts of a long run within a time budget, adds their counts, and collects their failures for its end. */
import { failedNames, reasonsOf } from "./reasons.ts";

/** The time between SIGTERM and SIGKILL, in milliseconds. */
const GRACE_MS = 20_000;

/** The time for which processes that a part left running may hold its output open, in milliseconds. */
const OUTPUT_MS = 5_000;

/** A part is stopped when it has taken this many times its budget. */
const LIMIT_FACTOR = 3;

/**
 * The maximum number of cases of a run that may fail first and pass alone; also the number of cases that a part runs
 * again.
 */
const MAX_UNSTEADY = 3;

/** A command to run, and its time budget. */
export interface TimedCommand {
  readonly name: string;
  readonly command: readonly string[];
  /** The budget: how long it takes at most on a slow machine. */
  readonly minutes: number;
  /**
   * The command that runs a failed case once more, alone. If the case passes then, it is unsteady and not failed. Parts
   * without it are not run again.
   */
  readonly rerun?: (name: string) => readonly string[];
  /** Whether the part starts even if its budget exceeds the remaining time. */
  readonly isRequired?: boolean;
}

/** The counts that a part ends with. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The bounds of a whole run, and the receivers of its output. */
export interface RunnerOptions {
  /** The start of the run, in milliseconds since the epoch: the time before its parts counts. */
  readonly started: number;
  /** The time in which all parts should have ended: a part that does not fit is left out. No limit when absent. */
  readonly budgetMinutes?: number;
  readonly now: () => number;
  readonly print: (line: string) => void;
  readonly write: (bytes: Uint8Array) => void;
}

/** The last line of a part or of a whole run. */
export function countsText({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** The counts at the end of an output; undefined without counts. */
export function countsIn(output: string): Counts | undefined {
  const found = [...output.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)].at(-1);
  if (found === undefined) return undefined;
  const [passed, failed, skipped] = found.slice(1).map(Number);
  return { passed: passed!, failed: failed!, skipped: skipped! };
}

/** The outcome of one run of a part: its counts, how it ended, and its failures. */
interface Verdict {
  readonly counts: Counts;
  readonly ended: string;
  readonly reasons: readonly string[];
  /** The names of the failed cases. */
  readonly names: readonly string[];
}

/** A long run: its parts one after the other, its sum, and its failures. */
export class PartsRunner {
  #counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  readonly #failures: string[] = [];
  readonly #unsteady: string[] = [];
  readonly #leftOut: string[] = [];
  readonly #times: string[] = [];
  readonly #options: RunnerOptions;
  #running: { readonly name: string; readonly child: Deno.ChildProcess } | undefined;
  #stopped = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Whether something failed so far. */
  get failed(): boolean {
    return this.#counts.failed > 0 || this.#unsteady.length > MAX_UNSTEADY;
  }

  /** Runs a part. A part that ends without its counts, or not in time, has failed. */
  async run(part: TimedCommand): Promise<void> {
    const verdict = await this.#judge(part);
    if (verdict === undefined) return;
    const { counts, ended, reasons, names } = verdict;
    const isUnsteady = counts.failed > 0 && counts.failed === names.length && await this.#passesAlone(part, names);
    if (isUnsteady) {
      this.#add({ passed: counts.passed + counts.failed, failed: 0, skipped: counts.skipped });
      this.#unsteady.push(...reasons.map((reason) => `${part.name}: ${reason}`));
      return;
    }
    this.#add(counts);
    if (counts.failed > 0) this.#note(part.name, ended, reasons);
  }

  /** Runs failed cases once more, one at a time; false if one fails again, or if there are too many. */
  async #passesAlone({ name, rerun, minutes }: TimedCommand, names: readonly string[]): Promise<boolean> {
    if (rerun === undefined || names.length > MAX_UNSTEADY) return false;
    const commands = new Map(names.map((name) => [rerun(name).join(" "), rerun(name)]));
    for (const [text, command] of commands) {
      const verdict = await this.#judge({
        name: `${name}, again: ${text.slice(text.indexOf("task"))}`,
        command,
        minutes,
      });
      if (verdict === undefined || verdict.counts.failed > 0 || verdict.counts.passed === 0) return false;
    }
    return true;
  }

  /** Runs what later parts need, which has no counts; false if it failed. */
  async prepare(part: TimedCommand): Promise<boolean> {
    const outcome = await this.#runToEnd(part);
    if (outcome === undefined) return false;
    const { code, output, problem } = outcome;
    if (code === 0 && problem === undefined) return true;
    this.#add({ passed: 0, failed: 1, skipped: 0 });
    this.#note(part.name, problem ?? `ended with ${code}`, reasonsOf(output));
    return false;
  }

  /** Counts parts that cannot run as failures. */
  skipParts(parts: readonly { readonly name: string }[], reason: string): void {
    if (this.#stopped) return;
    for (const { name } of parts) {
      this.#options.print(`== ${name} does not run: ${reason}`);
      this.#add({ passed: 0, failed: 1, skipped: 0 });
      this.#note(name, `did not run: ${reason}`, []);
    }
  }

  /** Stops the running part and begins no other: for a run that is stopped from outside. */
  stop(reason: string): void {
    this.#stopped = true;
    if (this.#running) {
      killGroup(this.#running.child, "SIGTERM");
      this.#note(this.#running.name, `was running: ${reason}`, []);
    } else this.#failures.push(reason);
    this.#add({ passed: 0, failed: 1, skipped: 0 });
  }

  /**
   * The closing lines: the time of each part next to its budget, the parts that did not fit, unsteady cases, failures,
   * and the sum as the last line.
   */
  summary(): string[] {
    const section = (title: string, lines: readonly string[]) => lines.length > 0 ? [`== ${title}`, ...lines] : [];
    const tooMany = this.#unsteady.length > MAX_UNSTEADY ? 1 : 0;
    const failures = [
      ...this.#failures,
      ...tooMany ? [`${this.#unsteady.length} cases are unsteady: at most ${MAX_UNSTEADY} may be`] : [],
    ];
    return [
      ...section("times, and budgets", this.#times),
      ...section("left out: no time was left", this.#leftOut),
      ...section("unsteady: failed, then passed alone", this.#unsteady),
      ...section("failures", failures),
      countsText({ ...this.#counts, failed: this.#counts.failed + tooMany }),
    ];
  }

  /** Runs a part once; undefined if it was not begun, or if the run was stopped. */
  async #judge(part: TimedCommand): Promise<Verdict | undefined> {
    const outcome = await this.#runToEnd(part);
    if (outcome === undefined) return undefined;
    const { code, output, problem } = outcome;
    const found = countsIn(output);
    const sum = found ?? { passed: 0, failed: 1, skipped: 0 };
    const failed = code !== 0 || problem !== undefined ? Math.max(sum.failed, 1) : sum.failed;
    const ended = problem ?? `ended with ${code}${found ? "" : ", without its counts"}`;
    const hasFailed = failed > 0;
    return {
      counts: { ...sum, failed },
      ended,
      reasons: hasFailed ? reasonsOf(output) : [],
      names: hasFailed && problem === undefined && found ? failedNames(output) : [],
    };
  }

  async #runToEnd(part: TimedCommand): Promise<{ code: number; output: string; problem?: string } | undefined> {
    if (this.#stopped) return undefined;
    const { name, minutes } = part;
    if (!this.#fits(part)) {
      this.#options.print(`== ${name} is left out: its ${minutes} minutes do not fit`);
      this.#leftOut.push(name);
      this.#add({ passed: 0, failed: 0, skipped: 1 });
      return undefined;
    }
    this.#options.print(`== ${name}`);
    const started = this.#options.now();
    const limit = minutes * LIMIT_FACTOR * 60_000;
    const { code, output, late } = await this.#runWithin(part, limit);
    const seconds = Math.round((this.#options.now() - started) / 1000);
    this.#options.print(`== ${name} ended with ${code} after ${seconds} s`);
    const budget = minutes * 60;
    this.#times.push(
      `${String(seconds).padStart(5)} s of ${String(budget).padStart(4)} s  ${name}${seconds > budget ? "  OVER" : ""}`,
    );
    if (this.#stopped) return undefined;
    return { code, output, ...(late ? { problem: `was stopped after ${Math.round(limit / 60_000)} minutes` } : {}) };
  }

  /** Whether a part can be expected to end within the budget of the run. */
  #fits({ minutes, isRequired = false }: TimedCommand): boolean {
    const { budgetMinutes, started, now } = this.#options;
    return isRequired || budgetMinutes === undefined || now() + minutes * 60_000 <= started + budgetMinutes * 60_000;
  }

  async #runWithin(part: TimedCommand, limit: number): Promise<{ code: number; output: string; late: boolean }> {
    const [program, ...args] = part.command;
    // A separate process group, so that everything that the command started ends with it.
    const child = new Deno.Command(program!, { args, detached: true, stdin: "null", stdout: "piped", stderr: "piped" })
      .spawn();
    this.#running = { name: part.name, child };
    let late = false;
    const timers = [setTimeout(() => {
      late = true;
      killGroup(child, "SIGTERM");
      timers.push(setTimeout(() => killGroup(child, "SIGKILL"), GRACE_MS));
    }, limit)];
    const output: string[] = [];
    const pumps = [child.stdout, child.stderr].map((stream) => this.#pump(stream, output));
    const { code } = await child.status;
    for (const timer of timers) clearTimeout(timer);
    this.#running = undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<void>((resolve) => timer = setTimeout(resolve, OUTPUT_MS));
    await Promise.race([Promise.all(pumps), patience]);
    clearTimeout(timer);
    return { code, output: output.join(""), late };
  }

  async #pump(stream: ReadableStream<Uint8Array<ArrayBuffer>>, output: string[]): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) {
      if (!this.#stopped) this.#options.write(bytes);
      output.push(decoder.decode(bytes, { stream: true }));
    }
  }

  #add({ passed, failed, skipped }: Counts): void {
    const sum = this.#counts;
    this.#counts = { passed: sum.passed + passed, failed: sum.failed + failed, skipped: sum.skipped + skipped };
  }

  #note(name: string, subject: string, reasons: readonly string[]): void {
    this.#failures.push(...noteOf(name, subject, reasons));
  }
}

function noteOf(name: string, subject: string, reasons: readonly string[]): string[] {
  return [`${name} ${subject}`, ...reasons.map((reason) => `  ${reason}`)];
}

function killGroup(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    Deno.kill(-child.pid, signal);
  } catch (error) {
    // All processes of the group have ended.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
