/** A reader of the output of `deno test`: which tests of which file ended how, and how long each file took. */
import { stripVTControlCharacters } from "node:util";
import { parsePrefix, SHARED } from "./sharing.ts";

/** The outcome of a test, in the words of `deno test`. */
export type TestOutcome = "ok" | "FAILED" | "ignored";

/**
 * The line at the end of a test. The name is missing where a warning about a long running test took the start of the
 * line.
 */
const TEST_END = /^(?:(\S.*) \.\.\.)? (ok|FAILED|ignored|cancelled)(?: \(due to [^()]*\))? \([\dmsµ.h]+\)$/;

/** The result of the tests of one file. */
export interface FileResult {
  passed: number;
  /** Names of failed tests, with a note if an error outside of a test failed the file. */
  readonly failed: string[];
  /** Names of ignored tests. */
  readonly ignored: string[];
  /** The number of tests that `deno test` announced without reporting their end. */
  unreported: number;
  /** Milliseconds from the end of the previous file to the end of this one. */
  millis: number;
}

/** The callbacks of a {@link TestOutput}. */
export interface TestEvents {
  /** Called when a test ends. */
  readonly onTest?: (file: string, name: string, outcome: TestOutcome) => void;
}

/** Reads the output of one `deno test` process without `--parallel`, in pieces of any size. */
export class TestOutput {
  readonly files = new Map<string, FileResult>();
  #text = "";
  #line = "";
  #file = "";
  #lastEnd: number;
  /** Whether the current line is output of a test. */
  #isInTest = false;
  readonly #events: TestEvents;
  readonly #now: () => number;

  constructor(events: TestEvents = {}, now: () => number = performance.now.bind(performance)) {
    this.#events = events;
    this.#now = now;
    this.#lastEnd = now();
  }

  take(text: string): void {
    const plain = stripVTControlCharacters(text);
    this.#text += plain;
    const lines = `${this.#line}${plain}`.split("\n");
    this.#line = lines.pop()!;
    for (const line of lines) this.#takeLine(line);
  }

  /** The output from its list of errors on; everything if there is no such list. */
  errorText(): string {
    const start = /^ ERRORS ?$/m.exec(this.#text)?.index ?? 0;
    return this.#text.slice(start);
  }

  #takeLine(line: string): void {
    if (line === "------- output -------") this.#isInTest = true;
    // Output without a newline at its end shares this line.
    else if (line.endsWith("----- output end -----")) this.#isInTest = false;
    if (this.#isInTest) return;
    const shared = parsePrefix(line);
    if (shared !== undefined) this.#takePrefix(shared);
    const [, count, file] = /^running (\d+) tests? from (?:\.\/)?([^\s#]+)\S*$/.exec(line) ?? [];
    if (file === SHARED) return;
    if (file !== undefined) {
      this.#file = file;
      this.#resultOf(file).unreported += Number(count);
      return;
    }
    const uncaught = /^Uncaught error from (?:\.\/)?(\S+) FAILED$/.exec(line)?.[1];
    if (uncaught !== undefined) {
      return this.#end(uncaught === SHARED ? this.#file : uncaught, "(uncaught error)", "FAILED");
    }
    const [, name, outcome] = TEST_END.exec(shared?.name ?? line) ?? [];
    if (outcome === undefined) return;
    this.#resultOf(this.#file).unreported--;
    this.#end(this.#file, name || "(a slow test)", outcome === "cancelled" ? "FAILED" : outcome as TestOutcome);
  }

  /** Begins the tests of a file that shares its graph: the number of its tests is in the name of each. */
  #takePrefix({ file, tests }: { readonly file: string; readonly tests: number }): void {
    this.#file = file;
    if (!this.files.has(file)) this.#resultOf(file).unreported += tests;
  }

  #end(file: string, name: string, outcome: TestOutcome): void {
    const result = this.#resultOf(file);
    if (outcome === "ok") result.passed++;
    else result[outcome === "FAILED" ? "failed" : "ignored"].push(name);
    const now = this.#now();
    result.millis += now - this.#lastEnd;
    this.#lastEnd = now;
    this.#events.onTest?.(file, name, outcome);
  }

  #resultOf(file: string): FileResult {
    const result = this.files.get(file) ?? { passed: 0, failed: [], ignored: [], unreported: 0, millis: 0 };
    this.files.set(file, result);
    return result;
  }
}
