/** Runs the parts of a long run within a budget of time, adds their counts, and keeps what failed for its end. */
import { reasonsOf } from "./reasons.ts";

/** The time that a part which is killed has to end by itself. */
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
  /**
   * Whether a failure is asked for a second time: for what stands on programs that are not ours. The second answer counts;
   * the first failure is repeated at the end as unsteady.
   */
  readonly twice?: boolean;
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
  /** The minutes that the run may take in all; without them each part has its own limit only. */
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

/** The end of one attempt at a part: its counts, how it ended, and the reasons of its failures. */
interface Verdict {
  readonly counts: Counts;
  readonly ended: string;
  readonly reasons: readonly string[];
  readonly millis: number;
}

/** A long run: its parts one after the other, its sum, and what failed in it. */
export class PartsRunner {
  #counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  readonly #failures: string[] = [];
  readonly #unsteady: string[] = [];
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
    const first = await this.#judge(part);
    if (first === undefined) return;
    const second = part.twice && first.counts.failed > 0 && this.#hasTimeFor(first.millis)
      ? await this.#judge(part)
      : undefined;
    const last = second ?? first;
    this.#add(last.counts);
    if (last.counts.failed > 0) return this.#note(part.name, last.ended, last.reasons);
    if (second) this.#unsteady.push(...noteOf(part.name, first.ended, first.reasons));
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

  /**
   * The end of the run's output: the time of each part, what failed at first and passed when it was asked again, what failed
   * and why, and the sum as the last line.
   */
  summary(): string[] {
    const unsteady = this.#unsteady.length > 0
      ? ["== unsteady: failed, and passed the second time", ...this.#unsteady]
      : [];
    const failures = this.#failures.length > 0 ? ["== what failed", ...this.#failures] : [];
    return ["== times", ...this.#times, ...unsteady, ...failures, countsText(this.#counts)];
  }

  /** Runs a part once; undefined when it was not begun, or the run was stopped in the middle of it. */
  async #judge(part: TimedCommand): Promise<Verdict | undefined> {
    const outcome = await this.#runToEnd(part);
    if (outcome === undefined) return undefined;
    const { code, output, problem, millis } = outcome;
    const found = countsIn(output);
    const sum = found ?? { passed: 0, failed: 1, skipped: 0 };
    const failed = code !== 0 || problem !== undefined ? Math.max(sum.failed, 1) : sum.failed;
    const ended = problem ?? `ended with ${code}${found ? "" : ", without its counts"}`;
    return { counts: { ...sum, failed }, ended, reasons: failed > 0 ? reasonsOf(output) : [], millis };
  }

  /** Whether a second attempt that takes as long as the first, and half as long again, ends within the budget. */
  #hasTimeFor(millis: number): boolean {
    const { budgetMinutes, started, now } = this.#options;
    return budgetMinutes === undefined || now() + 1.5 * millis + LEAST_MS < started + budgetMinutes * 60_000;
  }

  async #runToEnd(
    part: TimedCommand,
  ): Promise<{ code: number; output: string; problem?: string; millis: number } | undefined> {
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
    const millis = this.#options.now() - started;
    const seconds = Math.round(millis / 1000);
    this.#options.say(`== ${part.name} ended with ${code} after ${seconds} s`);
    this.#times.push(`${String(seconds).padStart(5)} s  ${part.name}`);
    return this.#stopped
      ? undefined
      : { code, output, millis, ...(late ? { problem: `was ended after ${Math.round(limit / 60_000)} minutes` } : {}) };
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
    this.#failures.push(...noteOf(name, what, reasons));
  }
}

function noteOf(name: string, what: string, reasons: readonly string[]): string[] {
  return [`${name} ${what}`, ...reasons.map((reason) => `  ${reason}`)];
}

function killGroup(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    Deno.kill(-child.pid, signal);
  } catch (error) {
    // All processes of the group have ended.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
