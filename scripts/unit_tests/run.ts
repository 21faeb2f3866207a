/** Runs test files in parallel processes, reports failures as they occur, and runs failed files once more alone. */
import { passThroughWatched } from "../watched.ts";
import { batchesOf } from "./files.ts";
import { type FileResult, TestOutput } from "./output.ts";
import { isShared, SHARED, SHARED_FILES } from "./sharing.ts";

/** The time without the end of a test after which a process is ended, in milliseconds: no test takes two minutes. */
const SILENT_MILLIS = 5 * 60_000;

/**
 * The duration of one process, in milliseconds: short enough that failures are shown soon, long compared with the load of
 * the module graph that its files share.
 */
const BATCH_MILLIS = 80_000;

/** The time between two lines on progress, in milliseconds. */
const PROGRESS_MILLIS = 30_000;

/** The options of a run of test files. */
export interface RunOptions {
  readonly root: string;
  /** Arguments for each `deno test`. */
  readonly flags: readonly string[];
  /** The number of processes at a time. */
  readonly lanes: number;
  /** Files to run first. */
  readonly urgent: ReadonlySet<string>;
  /** Runs files and tests in random order, by this seed. */
  readonly seed?: number | undefined;
  /** Whether the files of a process share one module graph where they can. */
  readonly isSharing: boolean;
  /** Environment variables for the tests. */
  readonly env: Readonly<Record<string, string>>;
  readonly print: (line: string) => void;
}

/** The results of a run. */
export interface RunResult {
  readonly passed: number;
  readonly skipped: readonly string[];
  /** Files whose tests failed twice, with the names of the failed tests. */
  readonly failed: ReadonlyMap<string, readonly string[]>;
  /** Files whose tests failed and then passed alone, with the names of the failed tests. */
  readonly unsteady: ReadonlyMap<string, readonly string[]>;
  /** Duration of each file in milliseconds. */
  readonly millis: ReadonlyMap<string, number>;
}

/** The result of a file whose process ended before it. */
const NO_RESULT: FileResult = {
  passed: 0,
  failed: ["(did not run to its end)"],
  ignored: [],
  unreported: 0,
  millis: 0,
};

/** Runs files in batches; files that fail are run once more, each alone, when everything else has ended. */
export async function runTestFiles(files: readonly string[], options: RunOptions): Promise<RunResult> {
  const { print, lanes, urgent, seed } = options;
  const results = new Map<string, FileResult>();
  const waiting = batchesOf(files, { urgent, seed, millis: BATCH_MILLIS });
  const progress = new Progress(files.length, print);
  const failedFiles = new Set<string>();
  const lane = async () => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      const ended = await runProcess(batch, options, progress);
      for (const file of batch) {
        const result = ended.files.get(file);
        if (result === undefined || result.failed.length > 0) failedFiles.add(file);
        results.set(file, result ?? NO_RESULT);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  progress.end();

  const failed = new Map<string, readonly string[]>();
  const unsteady = new Map<string, readonly string[]>();
  for (const file of failedFiles) {
    print(`again, alone: ${file}`);
    const { files: again } = await runProcess([file], options);
    const first = results.get(file)!;
    const second = again.get(file);
    if (second === undefined || second.failed.length > 0) failed.set(file, second?.failed ?? first.failed);
    else unsteady.set(file, first.failed);
    if (second) results.set(file, second);
  }
  const all = [...results.values()];
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    skipped: all.flatMap(({ ignored }) => ignored),
    failed,
    unsteady,
    millis: new Map([...results].map(([file, { millis }]) => [file, millis])),
  };
}

/**
 * Runs one `deno test` process, with a single graph for those of its files that can share one; prints the errors of
 * failed tests at its end.
 */
async function runProcess(
  files: readonly string[],
  { root, flags, seed, isSharing, env, print }: RunOptions,
  progress?: Progress,
): Promise<TestOutput> {
  const output = new TestOutput({
    onTest: (file, name, outcome) => {
      progress?.count();
      if (outcome === "FAILED") print(`FAILED ${file}: ${name}`);
    },
  });
  const decoder = new TextDecoder();
  const shared = isSharing && files.length > 1 ? files.filter(isShared) : [];
  const own = files.filter((file) => !shared.includes(file));
  const args = [
    "test",
    "-A",
    "--no-check",
    "--doc",
    ...seed === undefined ? [] : [`--shuffle=${seed}`],
    ...flags,
    ...shared.length > 0 ? [SHARED] : [],
    ...own,
  ];
  const { code, wasSilent } = await passThroughWatched([Deno.execPath(), ...args], SILENT_MILLIS, {
    cwd: root,
    env: { ...env, NO_COLOR: "1", [SHARED_FILES]: JSON.stringify(shared) },
    isProgress: (line) => / (?:ok|FAILED|ignored) \(|^(?:Download|Check|Initialize) /.test(line),
    write: (bytes) => output.take(decoder.decode(bytes, { stream: true })),
  });
  if (wasSilent) print(`A process was ended: no test ended within ${SILENT_MILLIS / 60_000} minutes`);
  if (code > 1) print(`deno test ended with exit code ${code}${code > 128 ? ` (signal ${code - 128})` : ""}`);
  if (code !== 0) print(output.errorText().trimEnd());
  for (const [file, { unreported, failed }] of output.files) {
    // It is negative for a test that runs `deno test` itself and prints its output.
    if (unreported <= 0 || failed.length > 0) continue;
    failed.push(`(the end of ${unreported} tests is missing)`);
    print(`FAILED ${file}: the end of ${unreported} tests is missing in the output of deno test`);
  }
  return output;
}

/** Prints now and then how many tests have ended. */
class Progress {
  #tests = 0;
  readonly #started = performance.now();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(files: number, print: (line: string) => void) {
    this.#timer = setInterval(() => {
      const seconds = Math.round((performance.now() - this.#started) / 1000);
      print(`       tests: ${this.#tests.toLocaleString("en")} ended after ${seconds} s (${files} files in all)`);
    }, PROGRESS_MILLIS);
  }

  count(): void {
    this.#tests++;
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
