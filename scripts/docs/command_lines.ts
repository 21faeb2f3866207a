/** Checks shell commands in pages: commands and flags of `tiphys`, Deno tasks, and paths of the repository. */
import type { Command } from "commander";
import type { Page, Piece } from "./page.ts";

/** The commands, tasks and files that pages may name. */
export interface CommandCatalog {
  /** Returns the program with the command that the words call. */
  readonly program: (words: readonly string[]) => Promise<Command>;
  /** The names of the tasks. */
  readonly tasks: ReadonlySet<string>;
  /** The paths of all files. */
  readonly files: readonly string[];
}

/** A line of words, as a shell splits it. */
interface Line {
  readonly line: number;
  readonly words: readonly string[];
  /** Whether users run the line unchanged, so that no argument may be missing. */
  readonly isWhole: boolean;
}

const SHELLS = ["sh", "bash", "console", ""];
/** Top folders of the repository. A word that starts with one is a path that must exist. */
const TREE =
  /^(?:cli|controller|docs|examples|executor|lib|local|manifests|scripts|server|simulate|tests|ui)\/[\w./-]*$/;

/** Returns the problems of the command lines of a page. */
export async function commandProblems(page: Page, catalog: CommandCatalog): Promise<Piece[]> {
  const inBlocks = page.blocks.filter(({ language }) => SHELLS.includes(language)).flatMap((block) =>
    linesOf(block.text, block.language === "console").map((line) => ({
      ...line,
      line: block.line + line.line,
      isWhole: true,
    }))
  );
  const inText = page.code.map(({ line, text }): Line => ({ line, words: wordsOf(text), isWhole: false }));
  const problems: Piece[] = [];
  for (const { line, words, isWhole } of [...inBlocks, ...inText]) {
    const found = isRootPath(page.path) ? missingPaths(words, catalog.files) : [];
    for (const command of commandsIn(words)) found.push(...await problemsOf(command, isWhole, catalog));
    problems.push(...found.map((text) => ({ line, text })));
  }
  return problems;
}

/** Whether paths in a page are relative to the root of the repository. The README of a folder may name other paths. */
function isRootPath(path: string): boolean {
  return !path.includes("/") || path.startsWith("docs/");
}

function missingPaths(words: readonly string[], files: readonly string[]): string[] {
  const paths = words.filter((word) => TREE.test(word) && !/[A-Z]{3}/.test(word)).map((word) =>
    word.replace(/\/$/, "")
  );
  return paths.filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`)))
    .map((path) => `names ${path}, which does not exist`);
}

/**
 * Returns the lines of a script. Lines that end with a backslash are joined; here documents (`<<'END'`) are omitted.
 */
function linesOf(script: string, isConsole: boolean): { line: number; words: readonly string[] }[] {
  const found: { line: number; words: readonly string[] }[] = [];
  const lines = script.split("\n");
  for (let offset = 0; offset < lines.length; offset++) {
    const start = offset;
    let text = lines[offset]!;
    if (isConsole && !text.startsWith("$ ")) continue;
    while (text.endsWith("\\") && offset + 1 < lines.length) text = `${text.slice(0, -1)} ${lines[++offset]!.trim()}`;
    const end = /<<'?(\w+)'?/.exec(text)?.[1];
    if (end !== undefined) { while (offset + 1 < lines.length && lines[++offset] !== end); }
    found.push({ line: start, words: wordsOf(isConsole ? text.slice(2) : text) });
  }
  return found;
}

/** Splits a line into words, without its comment. Operators between commands are separate words. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'|;&])+|\|+|;|&+/g)) {
    if (word.startsWith("#")) break;
    words.push(word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
  }
  return words;
}

/** Returns the words of each `tiphys` and `deno` command in a line. */
function commandsIn(words: readonly string[]): string[][] {
  const commands: string[][] = [[]];
  const isRedirection = (word: string | undefined) => /^\d?(?:>>?|<)$/.test(word ?? "");
  const typed = words.filter((word, index) => !isRedirection(word) && !isRedirection(words[index - 1]));
  for (const word of typed) /^(?:\|+|;|&+)$/.test(word) ? commands.push([]) : commands.at(-1)!.push(word);
  return commands.map(removeLauncher).filter(([program]) => program === "tiphys" || program === "deno");
}

/** Removes variables, `npx -y` and `./` from the start of a command. */
function removeLauncher(words: readonly string[]): string[] {
  const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const [first = "", ...rest] = start < 0 ? [] : words.slice(start);
  if (first === "npx") return removeLauncher(rest[0] === "-y" ? rest.slice(1) : rest);
  return [first.replace(/^\.\//, "").replace(/^deno@.*/, "deno"), ...rest];
}

async function problemsOf(
  [program, ...words]: readonly string[],
  isWhole: boolean,
  catalog: CommandCatalog,
): Promise<string[]> {
  if (program === "tiphys") return await problemsOfTiphys(words, isWhole, catalog);
  const [verb, task = "", ...rest] = words;
  if (verb !== "task" || task === "") return [];
  if (task === "run") return await problemsOfTiphys(["run", ...rest], isWhole, catalog);
  return catalog.tasks.has(task) || /[A-Z]/.test(task) ? [] : [`deno.json has no task ${task}`];
}

/**
 * Returns the problems of a command line of `tiphys`: unknown commands, flags and choices, or a wrong number of
 * arguments.
 */
async function problemsOfTiphys(
  typed: readonly string[],
  isWhole: boolean,
  catalog: CommandCatalog,
): Promise<string[]> {
  const words = typed.flatMap((word) => word.replace(/^\[|\]$/g, "") || []).filter((word) => word !== "…");
  let command = await catalog.program(words);
  const chain = [command];
  const names = ["tiphys"];
  const given: string[] = [];
  for (let offset = 0; offset < words.length; offset++) {
    const word = words[offset]!;
    if (/^-[-\w]/.test(word)) {
      const [, flag = word, value] = /^(--[\w-]+)=(.*)$/.exec(word) ?? [];
      if (flag === "--help") continue;
      const option = chain.flatMap(({ options }) => [...options]).find(({ long, short }) =>
        long === flag || short === flag
      );
      if (option === undefined) return [`${names.join(" ")} has no flag ${flag}`];
      const chosen = value ?? (option.required ? words[++offset] : undefined);
      if (option.required && chosen === undefined && isWhole) return [`${names.join(" ")}: ${flag} requires a value`];
      const choices = chosen?.startsWith("jsonpath=") ? [] : chosen?.split("|") ?? [];
      const strange = choices.find((choice) => option.argChoices && !option.argChoices.includes(choice));
      if (strange !== undefined) return [`${names.join(" ")}: ${flag} does not accept ${strange}`];
    } else if (command.commands.length > 0) {
      const next = command.commands.find((candidate) =>
        candidate.name() === word || candidate.aliases().includes(word)
      );
      if (next === undefined) return [`${names.join(" ")} has no command ${word}`];
      command = next as Command;
      chain.push(command);
      names.push(word);
    } else given.push(word);
  }
  const { registeredArguments: taken } = command;
  if (given.length > taken.length && !taken.at(-1)?.variadic) {
    return [`${names.join(" ")} accepts ${taken.length} arguments, got ${given.join(" ")}`];
  }
  const needed = taken.filter(({ required }) => required).length;
  return isWhole && given.length < needed ? [`${names.join(" ")} requires ${needed} arguments`] : [];
}
