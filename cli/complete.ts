/** The words that complete a command line: `tiphys __complete`, which the scripts of `tiphys completion` call. */
import type { Argument, Command, Option } from "commander";
import { NodePhase } from "@tiphys/model/api";
import { fieldsOf } from "@tiphys/base/fields_of";
import { type GlobalFlags, withCluster } from "./flags/global_flags.ts";
import type { Connection, World } from "./world.ts";

/** Lists names in the cluster that a command accepts. */
type ListNames = (connection: Connection) => Promise<readonly string[]>;

/** Maximum number of names that are requested from the cluster. */
const MAX_NAMES = 500;
/**
 * Names that are offered: valid Kubernetes names only. Shells may insert a completion without quoting it, so that a
 * malicious cluster could otherwise insert a command.
 */
const SAFE_NAME = /^[@a-z0-9][a-z0-9./-]{0,511}$/;
/** Timeout of each request: completion must not block the user's shell. */
const REQUEST_TIMEOUT = "3s";

const nameOf = ({ metadata }: { readonly metadata: { readonly name?: string | undefined } }) => metadata.name ?? "";

function workflowNames(...phases: readonly string[]): ListNames {
  return async ({ service, namespace }) => {
    const { items } = await service.list(namespace, { limit: MAX_NAMES, ...(phases.length > 0 && { phases }) });
    return ["@latest", ...items.map(nameOf)];
  };
}

const templates: ListNames = async ({ service, namespace }) => (await service.templates.list(namespace)).map(nameOf);
const clusterTemplates: ListNames = async ({ service, namespace }) =>
  (await service.clusterTemplates.list(namespace)).map(nameOf);
const crons: ListNames = async ({ service, namespace }) => (await service.cronWorkflows.list(namespace)).map(nameOf);
const archived: ListNames = async ({ archive, namespace }) =>
  (await archive?.list(namespace, { limit: MAX_NAMES }))?.items.map(nameOf) ?? [];
const namespaces: ListNames = async ({ service }) =>
  (await service.list(undefined, { limit: MAX_NAMES })).items.map(({ metadata }) => metadata.namespace ?? "");

/** Values of `--from`. */
const sources: ListNames = async (connection) => [
  ...(await templates(connection)).map((name) => `workflowtemplate/${name}`),
  ...(await crons(connection)).map((name) => `cronwf/${name}`),
  ...(await clusterTemplates(connection)).map((name) => `clusterworkflowtemplate/${name}`),
];

const FAILED = ["Failed", "Error"];
const UNFINISHED = ["Pending", "Running"];

/** The names that each command accepts as arguments. Commands that are not listed accept files. */
const NAMES: Readonly<Record<string, ListNames>> = {
  ...Object.fromEntries(
    ["cp", "delete", "get", "logs", "resubmit", "why", "node set"].map((command) => [command, workflowNames()]),
  ),
  ...Object.fromEntries(
    ["stop", "suspend", "terminate", "wait", "watch"].map((command) => [command, workflowNames(...UNFINISHED)]),
  ),
  resume: workflowNames("Running"),
  retry: workflowNames(...FAILED),
  ...Object.fromEntries(["get", "delete"].map((command) => [`template ${command}`, templates])),
  ...Object.fromEntries(["get", "delete"].map((command) => [`cluster-template ${command}`, clusterTemplates])),
  ...Object.fromEntries(
    ["get", "delete", "suspend", "resume", "backfill"].map((command) => [`cron ${command}`, crons]),
  ),
  ...Object.fromEntries(["get", "delete", "resubmit", "retry"].map((command) => [`archive ${command}`, archived])),
};

/** Completions for flag values. */
const VALUES: Readonly<Record<string, ListNames | readonly string[]>> = {
  "--namespace": namespaces,
  "--from": sources,
  "--status": NodePhase.options,
};

/** Whether the shell also offers files. */
type Kind = ":none" | ":files";

/** The words that may complete the last one. */
interface Completion {
  readonly kind: Kind;
  /** Words, with their descriptions if they have one. */
  readonly words: readonly (readonly [word: string, meaning?: string])[];
}

const FILES: Completion = { kind: ":files", words: [] };

/** The part of the command line before the last word. */
interface TypedLine {
  readonly command: Command;
  /** The words of the command after the program's name: `cron get`. */
  readonly path: string;
  readonly options: readonly Option[];
  /** Arguments of the command so far. */
  readonly args: readonly string[];
  /** The flag whose value is the last word. */
  readonly flag: Option | undefined;
  readonly flags: GlobalFlags;
}

/**
 * Returns the lines that a shell's script reads: words, each with a tab and its description if it has one, then the
 * kind.
 */
export async function complete(program: Command, typed: readonly string[], world: World): Promise<string> {
  const last = typed.at(-1) ?? "";
  const before = readBefore(program, typed.slice(0, -1));
  const { kind, words } = await completionOf(before, last, world);
  const fitting = new Map(words.filter(([word]) => word.startsWith(last)).map(([word, meaning]) => [word, meaning]));
  return [...[...fitting].map(([word, meaning]) => meaning ? `${word}\t${meaning}` : word), kind, ""].join("\n");
}

async function completionOf(before: TypedLine, last: string, world: World): Promise<Completion> {
  const { command, path, options, args, flag } = before;
  if (flag) return await valuesOf(flag, "", before, world);
  const [, long] = /^(--[\w-]+)=/.exec(last) ?? [];
  const joined = options.find((option) => option.long === long);
  if (joined) return await valuesOf(joined, `${long}=`, before, world);
  if (last.startsWith("-")) return { kind: ":none", words: options.flatMap(wordsOf) };
  if (command.commands.length > 0) {
    return {
      kind: ":none",
      words: command.commands.map((subcommand) => [subcommand.name(), subcommand.summary()] as const),
    };
  }
  const listNames = NAMES[path];
  const argument = argumentAt(command, args.length);
  if (listNames && argument && (args.length === 0 || argument.variadic)) {
    if (path === "cp" && args.length > 0) return FILES;
    const names = (await safeNames(listNames, before, world)).filter((name) => !args.includes(name));
    return { kind: ":none", words: names.map((name) => [name]) };
  }
  if (argument?.argChoices) return { kind: ":none", words: argument.argChoices.map((choice) => [choice]) };
  return argument && !listNames || path === "cp" ? FILES : { kind: ":none", words: [] };
}

function wordsOf({ long, short, description, hidden }: Option): Completion["words"] {
  return hidden ? [] : [long, short].flatMap((name) => name ? [[name, description] as const] : []);
}

function argumentAt(command: Command, index: number): Argument | undefined {
  const known = command.registeredArguments;
  const last = known.at(-1);
  return known[index] ?? (last?.variadic ? last : undefined);
}

async function valuesOf(option: Option, prefix: string, before: TypedLine, world: World): Promise<Completion> {
  const known = option.argChoices ?? VALUES[option.long ?? ""];
  if (known === undefined) return FILES;
  const words = typeof known === "function" ? await safeNames(known, before, world) : known;
  return { kind: ":none", words: words.map((word) => [`${prefix}${word}`]) };
}

/** Lists names of the cluster. Empty on any error: the user is still typing. */
async function safeNames(listNames: ListNames, { flags }: TypedLine, world: World): Promise<readonly string[]> {
  try {
    return [...await withCluster(world, { ...flags, requestTimeout: REQUEST_TIMEOUT }, listNames)].filter((name) =>
      SAFE_NAME.test(name)
    );
  } catch {
    return [];
  }
}

function readBefore(program: Command, words: readonly string[]): TypedLine {
  const chain = [program];
  const given: string[] = [];
  const flags = { ...program.opts<GlobalFlags>() };
  let flag: Option | undefined;
  for (const word of words) {
    if (flag) {
      Object.assign(flags, { [flag.attributeName()]: read(flag, word, flags) });
      flag = undefined;
    } else if (word.startsWith("-") && word.length > 1) {
      const [, name = word, value] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? [];
      const option = optionsOf(chain).find(({ long, short }) => long === name || short === name);
      if (option === undefined) continue;
      if (option.required && value === undefined) flag = option;
      else Object.assign(flags, { [option.attributeName()]: read(option, value ?? !option.negate, flags) });
    } else {
      const next = chain.at(-1)!.commands.find((candidate) =>
        candidate.name() === word || candidate.aliases().includes(word)
      );
      if (next) chain.push(next as Command);
      else given.push(word);
    }
  }
  const command = chain.at(-1)!;
  const path = chain.slice(1).map((command) => command.name()).join(" ");
  return { command, path, options: optionsOf(chain), args: given, flag, flags };
}

function read(option: Option, value: unknown, flags: GlobalFlags): unknown {
  if (typeof value !== "string" || !option.parseArg || option.argChoices) return value;
  try {
    return option.parseArg(value, fieldsOf(flags)[option.attributeName()]);
  } catch {
    // The user is still typing. Running the line reports the error.
    return value;
  }
}

function optionsOf(chain: readonly Command[]): Option[] {
  return chain.toReversed().flatMap((command) => [...command.options]);
}
