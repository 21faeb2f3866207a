/** Runs the Python programs, each a list of cases, in an environment with the clients. */
import { outputOf, runCommand } from "../../scripts/command.ts";
import { cachedFolder, pythonEnvironment, shortSum } from "../artifacts/servers/programs.ts";

const HERE = new URL(".", import.meta.url).pathname;

/** Longest duration of a program, in seconds. Long, because the examples take minutes on a busy machine. */
const TIMEOUT_SECONDS = "1200";

/** The result of one case. */
export interface CaseResult {
  readonly case: string;
  readonly seconds: number;
  /** The error message with its location, if the case failed. */
  readonly failed?: string;
  /** The reason, if the case was skipped. */
  readonly skipped?: string;
}

/**
 * The path of the Python of a virtual environment with the clients.
 * @throws {Unavailable} when Python or its packages cannot be installed.
 */
export async function clientsPython(): Promise<string> {
  return `${await pythonEnvironment("clients", `${HERE}requirements.txt`)}/bin/python`;
}

/** The folder of Hera's examples, unpacked once. Programs read its path from HERA_EXAMPLES. */
export async function heraExamples(): Promise<string> {
  const archive = `${HERE}testdata/hera.tar.gz`;
  const sum = await shortSum((await Deno.readFile(archive)).toBase64());
  const folder = await cachedFolder(`clients-hera-${sum}`, async (target) => {
    await outputOf(["tar", "-xzf", archive, "-C", target]);
  });
  return `${folder}/hera`;
}

/** Runs a program of `python/`. Returns the results of its cases, and a failed one if the program itself fails. */
export async function runProgram(python: string, program: string, args: readonly string[]): Promise<CaseResult[]> {
  const began = performance.now();
  const command = ["timeout", "--kill-after=10", TIMEOUT_SECONDS, python, `${HERE}python/${program}.py`, ...args];
  const env = {
    PYTHONDONTWRITEBYTECODE: "1",
    PYTHONUNBUFFERED: "1",
    NO_PROXY: "*",
    HERA_EXAMPLES: await heraExamples(),
  };
  const { code, stdout, stderr } = await runCommand(command, { env });
  const results = stdout.split("\n").filter((line) => line !== "").map(parseResult);
  if (code === 0 && results.length > 0) return results;
  const seconds = (performance.now() - began) / 1000;
  return [...results, { case: `${program} exits with 0`, seconds, failed: `It exited with ${code}: ${stderr}` }];
}

function parseResult(line: string): CaseResult {
  const { case: title, seconds, failed, skipped }: Record<string, unknown> = JSON.parse(line);
  return {
    case: String(title),
    seconds: Number(seconds),
    ...(failed === undefined ? {} : { failed: String(failed) }),
    ...(skipped === undefined ? {} : { skipped: String(skipped) }),
  };
}
