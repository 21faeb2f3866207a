/**
 * Prints the output of steps in groups: the lines of one step immediately, those of other steps after it has finished.
 */
import { escapedData, resumeCommands, stopCommands } from "./annotations.ts";
import { escapeToOneLine } from "./plain.ts";

/** The form in which groups are printed. */
export interface GroupForm {
  /** Lines before the first line of a group. */
  open(step: string): readonly string[];
  line(step: string, text: string): string;
  /** Lines after the last line of a group. */
  close(): readonly string[];
}

/**
 * Maximum number of lines that wait for other steps to finish, and of their characters. Above it, the step with the
 * most waiting lines is printed.
 */
const MAX_WAITING_LINES = 10_000;
const MAX_WAITING_CHARACTERS = 32 << 20;

/** Options of printing the output of steps. */
export interface StepOutputOptions {
  readonly form: GroupForm;
  /** Returns the name of a step by its key. */
  readonly nameOf: (step: string) => string;
  readonly print: (line: string) => void;
}

/** Collects the lines of steps, each with the key of its step, and prints them in groups. */
export class StepOutput {
  readonly #form: GroupForm;
  readonly #nameOf: (step: string) => string;
  readonly #print: (line: string) => void;
  /** The step whose lines are printed immediately. */
  #current: string | undefined;
  /** Whether the group of the current step is open. */
  #isOpen = false;
  readonly #waiting = new Map<string, string[]>();
  #waitingLines = 0;
  #waitingCharacters = 0;
  readonly #finished = new Set<string>();

  constructor({ form, nameOf, print }: StepOutputOptions) {
    this.#form = form;
    this.#nameOf = nameOf;
    this.#print = print;
  }

  /** Receives a line of a step. */
  line(step: string, text: string): void {
    if (step !== this.#current && (this.#current === undefined || this.#finished.has(this.#current))) {
      this.#switchTo(step);
    }
    if (step === this.#current) return this.#printLine(step, text);
    const lines = this.#waiting.get(step) ?? [];
    this.#waiting.set(step, lines);
    lines.push(text);
    this.#waitingCharacters += text.length;
    if (++this.#waitingLines > MAX_WAITING_LINES || this.#waitingCharacters > MAX_WAITING_CHARACTERS) {
      this.#switchTo(this.#longest());
    }
  }

  /** Marks a step as finished. More of its lines may follow. */
  markFinished(step: string): void {
    if (this.#finished.has(step)) return;
    this.#finished.add(step);
    while (this.#current !== undefined && this.#finished.has(this.#current) && this.#waiting.size > 0) {
      const [next = ""] = [...this.#waiting.keys()].toSorted((a, b) => this.#rank(a) - this.#rank(b));
      this.#switchTo(next);
    }
  }

  /** Closes the open group before a line that belongs to no step; the next line of the step opens it again. */
  pause(): void {
    if (this.#isOpen) { for (const line of this.#form.close()) this.#print(line); }
    this.#isOpen = false;
  }

  /** Prints all waiting lines. */
  end(): void {
    for (const step of [...this.#waiting.keys()]) this.#switchTo(step);
    this.#close();
  }

  /** Finished steps first: a running one keeps its group until it finishes. */
  #rank(step: string): number {
    return this.#finished.has(step) ? 0 : 1;
  }

  #longest(): string {
    const [[step = ""] = []] = [...this.#waiting].toSorted(([, a], [, b]) => b.length - a.length);
    return step;
  }

  #switchTo(step: string): void {
    this.#close();
    this.#current = step;
    const lines = this.#waiting.get(step) ?? [];
    this.#waiting.delete(step);
    this.#waitingLines -= lines.length;
    for (const text of lines) {
      this.#waitingCharacters -= text.length;
      this.#printLine(step, text);
    }
  }

  #printLine(step: string, text: string): void {
    const name = this.#nameOf(step);
    if (!this.#isOpen) { for (const line of this.#form.open(name)) this.#print(line); }
    this.#isOpen = true;
    this.#print(this.#form.line(name, text));
  }

  #close(): void {
    this.pause();
    this.#current = undefined;
  }
}

/** Prints each line with the name of its step. */
export function prefixLines(paint: (step: string) => string): GroupForm {
  return { open: () => [], line: (step, text) => `${paint(step)}: ${text}`, close: () => [] };
}

/**
 * Groups of GitHub Actions. Workflow commands in the output of steps are disabled between two lines with a token.
 * @param token a text that steps cannot guess.
 */
export function githubGroups(token: string): GroupForm {
  return {
    open: (step) => [`::group::${escapedData(step)}`, stopCommands(token)],
    line: (_step, text) => text,
    close: () => [resumeCommands(token), "::endgroup::"],
  };
}

/** Collapsible sections of GitLab CI. */
export function gitlabSections(now: () => Date): GroupForm {
  let count = 0;
  const seconds = () => Math.floor(now().getTime() / 1000);
  return {
    open: (step) => [`\x1b[0Ksection_start:${seconds()}:step_${++count}\r\x1b[0K${escapeToOneLine(step)}`],
    line: (_step, text) => text,
    close: () => [`\x1b[0Ksection_end:${seconds()}:step_${count}\r\x1b[0K`],
  };
}
