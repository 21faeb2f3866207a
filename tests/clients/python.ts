/** Programs of Python that ask with a client, each a list of cases, and the environment that they run in. */
import { outputOf, runCommand } from "../../scripts/command.ts";
import { kept, pythonEnvironment, shortSum } from "../artifacts/servers/programs.ts";

const HERE = new URL(".", import.meta.url).pathname;

/** A program that takes so long, in seconds, hangs: on a busy machine all examples take minutes. */
const LONGEST = "1200";

/** The outcome of one case. */
export interface Outcome {
  readonly case: string;
  readonly seconds: number;
  /** The words of its failure, with the place. */
  readonly failed?: string;
  /** The reason why it was not asked. */
  readonly skipped?: string;
}

/**
 * The Python of an environment with the clients.
 * @throws {NotHere} where there is no Python, or its packages cannot be had.
 */
export async function clientsPython(): Promise<string> {
  return `${await pythonEnvironment("clients", `${HERE}requirements.txt`)}/bin/python`;
}

/** The folder of Hera's examples, unpacked once; programs find it in HERA_EXAMPLES. */
export async function heraExamples(): Promise<string> {
  const archive = `${HERE}testdata/hera.tar.gz`;
  const sum = await shortSum((await Deno.readFile(archive)).toBase64());
  const folder = await kept(`clients-hera-${sum}`, async (making) => {
    await outputOf(["tar", "-xzf", archive, "-C", making]);
  });
  return `${folder}/hera`;
}

/** Runs a program of `python/` and tells what came of its cases; a program that breaks off is a case that failed. */
export async function askWith(python: string, program: string, args: readonly string[]): Promise<Outcome[]> {
  const began = performance.now();
  const command = ["timeout", "--kill-after=10", LONGEST, python, `${HERE}python/${program}.py`, ...args];
  const env = {
    PYTHONDONTWRITEBYTECODE: "1",
    PYTHONUNBUFFERED: "1",
    NO_PROXY: "*",
    HERA_EXAMPLES: await heraExamples(),
  };
  const { code, stdout, stderr } = await runCommand(command, { env });
  const outcomes = stdout.split("\n").filter((line) => line !== "").map(outcomeOf);
  if (code === 0 && outcomes.length > 0) return outcomes;
  const seconds = (performance.now() - began) / 1000;
  return [...outcomes, { case: `${program} ends`, seconds, failed: `It ended with ${code}: ${stderr}` }];
}

function outcomeOf(line: string): Outcome {
  const { case: title, seconds, failed, skipped }: Record<string, unknown> = JSON.parse(line);
  return {
    case: String(title),
    seconds: Number(seconds),
    ...(failed === undefined ? {} : { failed: String(failed) }),
    ...(skipped === undefined ? {} : { skipped: String(skipped) }),
  };
}
