/** The user's command: its arguments, and the program file that its first word names. */
import { ENV, OFFLOAD_LIMIT_BYTES, PATH } from "@tiphys/base/constants";
import { describeError, ExecutorError } from "../failure.ts";
import { at, type World } from "../world.ts";

const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** A program to run, and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/**
 * Returns the words after `--`, followed by those of the arguments file, which holds arguments that are too long for
 * the pod's spec.
 */
export async function readCommandLine(world: World, args: readonly string[]): Promise<CommandLine> {
  const words = args.slice(args.indexOf("--") + 1);
  const file = world.env(ENV.containerArgsFile);
  if (file) words.push(...parseWords(file, await Deno.readTextFile(at(world, file))));
  const [program, ...rest] = await Promise.all(words.map((word, index) => replaceLongArgument(world, word, index)));
  if (program === undefined) throw new ExecutorError("Expected a command after --");
  return [program, ...rest];
}

/** @throws {ExecutorError} when the text is not a JSON list of strings. */
function parseWords(file: string, text: string): readonly string[] {
  const words: unknown = JSON.parse(text);
  if (Array.isArray(words) && words.every((word) => typeof word === "string")) return words;
  throw new ExecutorError(`Expected a JSON list of strings in ${file}`);
}

/**
 * The folders for an argument that is too long: Argo's folder, or, if the root file system is read-only, one that every
 * container can write to.
 */
const WORD_FOLDERS = ["/tmp", PATH.varRunArgo];

/**
 * Returns the word, or `@FILE` if it is longer than the kernel's limit for an argument. The file then contains the
 * word; many programs read such files.
 */
async function replaceLongArgument(world: World, word: string, index: number): Promise<string> {
  if (word.length * 3 <= OFFLOAD_LIMIT_BYTES) return word;
  if (new TextEncoder().encode(word).length <= OFFLOAD_LIMIT_BYTES) return word;
  const problems: string[] = [];
  for (const folder of WORD_FOLDERS) {
    const file = at(world, `${folder}/argo_arg_${index}.txt`);
    try {
      await Deno.mkdir(at(world, folder), { recursive: true });
      await Deno.writeTextFile(file, word);
      return `@${file}`;
    } catch (error) {
      problems.push(describeError(error));
    }
  }
  throw new ExecutorError(`failed to pass an argument by file: ${problems.join("; ")}`);
}

/**
 * Finds the file of a program. A path is used unchanged; a name is searched in PATH.
 * @throws {ExecutorError} when no executable file is found.
 */
export async function findProgram(world: World, program: string): Promise<string> {
  if (program.includes("/")) {
    if (await fileExists(program)) return program;
    throw new ExecutorError(
      `failed to find name in PATH: exec: "${program}": stat ${program}: no such file or directory`,
    );
  }
  for (const folder of (world.env("PATH") ?? DEFAULT_PATH).split(":")) {
    const file = `${folder || "."}/${program}`;
    if (await isExecutable(file)) return file;
  }
  throw new ExecutorError(`failed to find name in PATH: exec: "${program}": executable file not found in $PATH`);
}

async function fileExists(file: string): Promise<boolean> {
  return await Deno.stat(file).then(() => true, (error) => !(error instanceof Deno.errors.NotFound));
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    const { isFile, mode } = await Deno.stat(file);
    return isFile && ((mode ?? 0) & 0o111) !== 0;
  } catch {
    return false;
  }
}
