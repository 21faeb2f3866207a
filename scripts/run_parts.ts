/** Runs the parts of a long run within a budget of time, adds their counts, and keeps what failed for its end. */
import { reasonsOf } from "./reasons.ts";

/** A part that is killed has so long to end by itself. */
const GRACE_MS = 20_000;

/** The time for which processes that a part left running may hold its output open. */
const OUTPUT_MS = 5_000;

/** Nothing is begun that could have less time than this. */
const LEAST_MS = 60_000;

/** A command to run, and for how long at most. */
export interface TimedCommand {
  readonly name: string;
  readonly command: readonly string[];
  readonly minutes: number;
}

/** The counts that a part ends with. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The bounds of a whole run, and the receivers of its output. */
export interface RunnerOptions {
  /** The moment at which the run began, in milliseconds since 1970: the time before its parts counts. */
  readonly started: number;
  /** It may take so many minutes in all; without it each part has its own limit only. */
  readonly budgetMinutes?: number;
  readonly now: () => number;
  readonly say: (line: string) => void;
  readonly write: (bytes: Uint8Array) => void;
}

/** The last line of a part or of a whole run. */
export function countsText({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** The counts at the end of an output; undefined when there are none. */
export function countsIn(output: string): Counts | undefined {
  const found = [...output.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)].at(-1);
  if (found === undefined) return undefined;
  const [passed, failed, skipped] = found.slice(1).map(Number);
  return { passed: passed!, failed: failed!, skipped: skipped! };
}

/** A long run: its parts one after the other, its sum, and what failed in it. */
export class PartsRunner {
  #counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  readonly #failures: string[] = [];
  readonly #times: string[] = [];
  readonly #options: RunnerOptions;
  #running: { readonly name: string; readonly child: Deno.ChildProcess } | undefined;
  #stopped = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Whether something failed so far. */
  get failed(): boolean {
    return this.#counts.failed > 0;
  }

  /** Runs a part; what ends without its counts, or not in time, is a failure. */
  async run(part: TimedCommand): Promise<void> {
    const outcome = await this.#runToEnd(part);
    if (outcome === undefined) return;
    const { code, output, problem } = outcome;
    const counts = countsIn(output);
    const sum = counts ?? { passed: 0, failed: 1, skipped: 0 };
    const failed = code !== 0 || problem !== undefined ? Math.max(sum.failed, 1) : sum.failed;
    this.#add({ ...sum, failed });
    if (failed === 0) return;
    const ended = problem ?? `ended with ${code}${counts ? "" : ", without its counts"}`;
    this.#note(part.name, ended, reasonsOf(output));
  }

  /** Runs what the parts after it stand on, which has no counts; false when it failed. */
  async prepare(part: TimedCommand): Promise<boolean> {
    const outcome = await this.#runToEnd(part);
    if (outcome === undefined) return false;
    const { code, output, problem } = outcome;
    if (code === 0 && problem === undefined) return true;
    this.#add({ passed: 0, failed: 1, skipped: 0 });
    this.#note(part.name, problem ?? `ended with ${code}`, reasonsOf(output));
    return false;
  }

  /** Counts parts that cannot run as failures: a commit that was not judged is not well. */
  leaveOut(parts: readonly { readonly name: string }[], why: string): void {
    if (this.#stopped) return;
    for (const { name } of parts) {
      this.#options.say(`== ${name} does not run: ${why}`);
      this.#add({ passed: 0, failed: 1, skipped: 0 });
      this.#note(name, `did not run: ${why}`, []);
    }
  }

  /** Ends the part that runs, and begins no other: for a run that is stopped from outside. */
  stop(why: string): void {
    this.#stopped = true;
    if (this.#running) {
      killGroup(this.#running.child, "SIGTERM");
      this.#note(this.#running.name, `was running: ${why}`, []);
    } else this.#failures.push(why);
    this.#add({ passed: 0, failed: 1, skipped: 0 });
  }

  /** The end of the run's output: the time of each part, what failed and why, and the sum as the last line. */
  summary(): string[] {
    const failures = this.#failures.length > 0 ? ["== what failed", ...this.#failures] : [];
    return ["== times", ...this.#times, ...failures, countsText(this.#counts)];
  }

  async #runToEnd(part: TimedCommand): Promise<{ code: number; output: string; problem?: string } | undefined> {
    if (this.#stopped) return undefined;
    const limit = this.#limitOf(part);
    if (limit === undefined) {
      const { budgetMinutes } = this.#options;
      this.leaveOut([part], `the ${budgetMinutes} minutes of the whole run are over`);
      return undefined;
    }
    this.#options.say(`== ${part.name}`);
    const started = this.#options.now();
    const { code, output, late } = await this.#runWithin(part, limit);
    const seconds = Math.round((this.#options.now() - started) / 1000);
    this.#options.say(`== ${part.name} ended with ${code} after ${seconds} s`);
    this.#times.push(`${String(seconds).padStart(5)} s  ${part.name}`);
    return this.#stopped
      ? undefined
      : { code, output, ...(late ? { problem: `was ended after ${Math.round(limit / 60_000)} minutes` } : {}) };
  }

  /** The time that a part may run, in milliseconds; undefined when too little of the budget is left to begin. */
  #limitOf({ minutes }: TimedCommand): number | undefined {
    const { budgetMinutes, started, now } = this.#options;
    const own = minutes * 60_000;
    if (budgetMinutes === undefined) return own;
    const left = started + budgetMinutes * 60_000 - now();
    return left < LEAST_MS ? undefined : Math.min(own, left);
  }

  async #runWithin(part: TimedCommand, limit: number): Promise<{ code: number; output: string; late: boolean }> {
    const [program, ...args] = part.command;
    // A group of its own: what it started ends with it.
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

  #note(name: string, what: string, reasons: readonly string[]): void {
    this.#failures.push(`${name} ${what}`, ...reasons.map((reason) => `  ${reason}`));
  }
}

function killGroup(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    Deno.kill(-child.pid, signal);
  } catch (error) {
    // All of it has ended.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
