/** Words that a person may mean who types a command line: what the scripts of `tiphys completion` ask for. */
import type { Argument, Command, Option } from "commander";
import { NodePhase } from "@tiphys/model/api";
import { fieldsOf } from "@tiphys/base/fields_of";
import { type GlobalFlags, withCluster } from "./flags/global_flags.ts";
import type { Connection, World } from "./world.ts";

/** Names that a command takes, as the cluster tells them. */
type Ask = (connection: Connection) => Promise<readonly string[]>;

/** The most names that are asked for: nobody reads more. */
const MOST_NAMES = 500;
/**
 * Names that are offered: those that Kubernetes could have. A shell may put what it is told into the line as it stands, and
 * whoever answers could name something that it would run.
 */
const OFFERED = /^[@a-z0-9][a-z0-9./-]{0,511}$/;
/** A person waits for an answer no longer than this. */
const REQUEST_TIMEOUT = "3s";

const nameOf = ({ metadata }: { readonly metadata: { readonly name?: string | undefined } }) => metadata.name ?? "";

function workflows(...phases: readonly string[]): Ask {
  return async ({ service, namespace }) => {
    const { items } = await service.list(namespace, { limit: MOST_NAMES, ...(phases.length > 0 && { phases }) });
    return ["@latest", ...items.map(nameOf)];
  };
}

const templates: Ask = async ({ service, namespace }) => (await service.templates.list(namespace)).map(nameOf);
const clusterTemplates: Ask = async ({ service, namespace }) =>
  (await service.clusterTemplates.list(namespace)).map(nameOf);
const crons: Ask = async ({ service, namespace }) => (await service.cronWorkflows.list(namespace)).map(nameOf);
const archived: Ask = async ({ archive, namespace }) =>
  (await archive?.list(namespace, { limit: MOST_NAMES }))?.items.map(nameOf) ?? [];
const namespaces: Ask = async ({ service }) =>
  (await service.list(undefined, { limit: MOST_NAMES })).items.map(({ metadata }) => metadata.namespace ?? "");

/** What may follow `--from`. */
const sources: Ask = async (connection) => [
  ...(await templates(connection)).map((name) => `workflowtemplate/${name}`),
  ...(await crons(connection)).map((name) => `cronwf/${name}`),
  ...(await clusterTemplates(connection)).map((name) => `clusterworkflowtemplate/${name}`),
];

const ENDED_BADLY = ["Failed", "Error"];
const UNDER_WAY = ["Pending", "Running"];

/** The names that each command takes as its arguments; those that are not here take files. */
const NAMES: Readonly<Record<string, Ask>> = {
  ...Object.fromEntries(
    ["cp", "delete", "get", "logs", "resubmit", "why", "node set"].map((one) => [one, workflows()]),
  ),
  ...Object.fromEntries(["stop", "suspend", "terminate", "wait", "watch"].map((one) => [one, workflows(...UNDER_WAY)])),
  resume: workflows("Running"),
  retry: workflows(...ENDED_BADLY),
  ...Object.fromEntries(["get", "delete"].map((one) => [`template ${one}`, templates])),
  ...Object.fromEntries(["get", "delete"].map((one) => [`cluster-template ${one}`, clusterTemplates])),
  ...Object.fromEntries(["get", "delete", "suspend", "resume", "backfill"].map((one) => [`cron ${one}`, crons])),
  ...Object.fromEntries(["get", "delete", "resubmit", "retry"].map((one) => [`archive ${one}`, archived])),
};

/** The words that a flag of this name takes. */
const VALUES: Readonly<Record<string, Ask | readonly string[]>> = {
  "--namespace": namespaces,
  "--from": sources,
  "--status": NodePhase.options,
};

/** A line with no more words than those before it, or one that goes on with files. */
type Kind = ":none" | ":files";

interface Answer {
  readonly kind: Kind;
  /** Each with its meaning, where it has one. */
  readonly words: readonly (readonly [word: string, meaning?: string])[];
}

const FILES: Answer = { kind: ":files", words: [] };

/** What stands before the word that is typed. */
interface Before {
  readonly command: Command;
  /** The words of the command without the program's: `cron get`. */
  readonly path: string;
  readonly options: readonly Option[];
  /** Arguments that the command has already. */
  readonly given: readonly string[];
  /** The flag whose value is typed. */
  readonly flag: Option | undefined;
  readonly flags: GlobalFlags;
}

/** The lines that a shell's script reads: words with their meanings behind a tab, then `:files` or `:none`. */
export async function complete(program: Command, typed: readonly string[], world: World): Promise<string> {
  const last = typed.at(-1) ?? "";
  const before = readBefore(program, typed.slice(0, -1));
  const { kind, words } = await answerOf(before, last, world);
  const fitting = new Map(words.filter(([word]) => word.startsWith(last)).map(([word, meaning]) => [word, meaning]));
  return [...[...fitting].map(([word, meaning]) => meaning ? `${word}\t${meaning}` : word), kind, ""].join("\n");
}

async function answerOf(before: Before, last: string, world: World): Promise<Answer> {
  const { command, path, options, given, flag } = before;
  if (flag) return await valuesOf(flag, "", before, world);
  const [, long] = /^(--[\w-]+)=/.exec(last) ?? [];
  const joined = options.find((option) => option.long === long);
  if (joined) return await valuesOf(joined, `${long}=`, before, world);
  if (last.startsWith("-")) return { kind: ":none", words: options.flatMap(wordsOf) };
  if (command.commands.length > 0) {
    return { kind: ":none", words: command.commands.map((one) => [one.name(), one.summary()] as const) };
  }
  const ask = NAMES[path];
  const argument = argumentAt(command, given.length);
  if (ask && argument && (given.length === 0 || argument.variadic)) {
    if (path === "cp" && given.length > 0) return FILES;
    const names = (await asked(ask, before, world)).filter((name) => !given.includes(name));
    return { kind: ":none", words: names.map((name) => [name]) };
  }
  if (argument?.argChoices) return { kind: ":none", words: argument.argChoices.map((choice) => [choice]) };
  return argument && !ask || path === "cp" ? FILES : { kind: ":none", words: [] };
}

function wordsOf({ long, short, description, hidden }: Option): Answer["words"] {
  return hidden ? [] : [long, short].flatMap((name) => name ? [[name, description] as const] : []);
}

function argumentAt(command: Command, index: number): Argument | undefined {
  const known = command.registeredArguments;
  const last = known.at(-1);
  return known[index] ?? (last?.variadic ? last : undefined);
}

async function valuesOf(option: Option, prefix: string, before: Before, world: World): Promise<Answer> {
  const known = option.argChoices ?? VALUES[option.long ?? ""];
  if (known === undefined) return FILES;
  const words = typeof known === "function" ? await asked(known, before, world) : known;
  return { kind: ":none", words: words.map((word) => [`${prefix}${word}`]) };
}

/** What a cluster answers; nothing where it does not, as a person is typing. */
async function asked(ask: Ask, { flags }: Before, world: World): Promise<readonly string[]> {
  try {
    return [...await withCluster(world, { ...flags, requestTimeout: REQUEST_TIMEOUT }, ask)].filter((name) =>
      OFFERED.test(name)
    );
  } catch {
    return [];
  }
}

function readBefore(program: Command, words: readonly string[]): Before {
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
      const next = chain.at(-1)!.commands.find((one) => one.name() === word || one.aliases().includes(word));
      if (next) chain.push(next as Command);
      else given.push(word);
    }
  }
  const command = chain.at(-1)!;
  const path = chain.slice(1).map((one) => one.name()).join(" ");
  return { command, path, options: optionsOf(chain), given, flag, flags };
}

function read(option: Option, value: unknown, flags: GlobalFlags): unknown {
  if (typeof value !== "string" || !option.parseArg || option.argChoices) return value;
  try {
    return option.parseArg(value, fieldsOf(flags)[option.attributeName()]);
  } catch {
    // A person is still typing: whoever runs the line is told what is wrong with it.
    return value;
  }
}

function optionsOf(chain: readonly Command[]): Option[] {
  return chain.toReversed().flatMap((one) => [...one.options]);
}
