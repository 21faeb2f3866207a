/** The flags of kubectl that a template may add to its action, in kubectl's syntax. */
import { ExecutorError } from "../failure.ts";

/** The actions of a resource template. */
export type Action = "get" | "create" | "apply" | "delete" | "replace" | "patch";

const ACTIONS: readonly Action[] = ["get", "create", "apply", "delete", "replace", "patch"];

/** Whether a word is an action. */
export function isAction(word: string | undefined): word is Action {
  return (ACTIONS as readonly (string | undefined)[]).includes(word);
}

interface FlagRule {
  readonly short?: string;
  /** The value of the flag without an argument. If undefined, an argument is required. */
  readonly alone?: string;
  readonly actions: readonly Action[];
}

const WRITES: readonly Action[] = ["create", "apply", "delete", "replace", "patch"];
const SELECTS: readonly Action[] = ["get", "delete"];

const RULES: Readonly<Record<string, FlagRule>> = {
  "namespace": { short: "n", actions: ACTIONS },
  /** The output format is always JSON. */
  "output": { short: "o", actions: ACTIONS },
  "dry-run": { alone: "client", actions: WRITES },
  "field-manager": { actions: ["create", "apply", "replace", "patch"] },
  "validate": { alone: "strict", actions: ["create", "apply", "replace"] },
  "save-config": { alone: "true", actions: ["create", "replace"] },
  "server-side": { alone: "true", actions: ["apply"] },
  "force-conflicts": { alone: "true", actions: ["apply"] },
  "force": { alone: "true", actions: ["delete", "replace"] },
  "grace-period": { actions: ["delete", "replace"] },
  "cascade": { alone: "background", actions: ["delete", "replace"] },
  "now": { alone: "true", actions: ["delete"] },
  "wait": { alone: "true", actions: ["delete"] },
  "all": { alone: "true", actions: ["delete"] },
  "all-namespaces": { short: "A", alone: "true", actions: SELECTS },
  "selector": { short: "l", actions: SELECTS },
  "field-selector": { actions: SELECTS },
  "ignore-not-found": { alone: "true", actions: SELECTS },
  "type": { actions: ["patch"] },
  "subresource": { actions: ["patch"] },
};

/** Parsed flags: their values, and the positional arguments. */
export class Flags {
  readonly words: readonly string[];
  readonly #values: ReadonlyMap<string, string>;

  constructor(words: readonly string[], values: ReadonlyMap<string, string>) {
    this.words = words;
    this.#values = values;
  }

  /** Returns the value of a flag; undefined if it is not set. */
  text(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** Returns whether a boolean flag is set to true; `otherwise` if it is not set. */
  isOn(name: string, otherwise = false): boolean {
    const value = this.#values.get(name);
    return value === undefined ? otherwise : value !== "false" && value !== "0";
  }
}

/**
 * Parses the flags of an action. The last of repeated flags wins.
 * @throws {ExecutorError} for a flag that the action does not support here.
 */
export function parseFlags(action: Action, args: readonly string[]): Flags {
  const words: string[] = [];
  const values = new Map<string, string>();
  const left = args.values();
  for (const arg of left) {
    if (!arg.startsWith("-") || arg === "-") {
      words.push(arg);
      continue;
    }
    const { name, rule, value } = readFlag(action, arg);
    const given = value ?? rule.alone ?? left.next().value;
    if (given === undefined) throw new ExecutorError(`flag needs an argument: ${arg}`);
    values.set(name, given);
  }
  return new Flags(words, values);
}

function readFlag(action: Action, arg: string): { name: string; rule: FlagRule; value: string | undefined } {
  const isLong = arg.startsWith("--");
  const equals = arg.indexOf("=");
  const written = isLong ? arg.slice(2, equals < 0 ? undefined : equals) : arg[1];
  const found = Object.entries(RULES).find(([name, { short, actions }]) =>
    actions.includes(action) && written === (isLong ? name : short)
  );
  if (!found) {
    const known = Object.entries(RULES).filter(([, { actions }]) => actions.includes(action)).map(([name]) =>
      `--${name}`
    );
    throw new ExecutorError(`unknown flag: ${arg}; "${action}" accepts ${known.join(", ")}`);
  }
  const [name, rule] = found;
  // A short flag may be followed directly by its value.
  const value = isLong ? (equals < 0 ? undefined : arg.slice(equals + 1)) : arg.slice(2).replace(/^=/, "") || undefined;
  return { name, rule, value };
}
