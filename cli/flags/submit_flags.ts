/** Flags that change a workflow when it is submitted. */
import type { Command } from "commander";
import {
  ActionError,
  type ParameterValues,
  parseParameterValues,
  type SubmitOptions,
} from "@tiphys/engine/workflow_actions";
import { parseYaml } from "@tiphys/model/yaml";
import { badInput } from "../command_error.ts";
import { readText } from "../input/input_documents.ts";
import type { World } from "../world.ts";

/** The flags as commander reads them. */
export interface SubmitFlags {
  readonly parameter?: readonly string[];
  readonly parameterFile?: string;
  readonly entrypoint?: string;
  readonly name?: string;
  readonly generateName?: string;
  readonly labels?: string;
  readonly serviceaccount?: string;
  readonly priority?: string;
}

/** Adds the flags to a command. */
export function addSubmitFlags(command: Command): Command {
  return command
    .option("-p, --parameter <name=value>", "value of a workflow parameter; may be repeated", collectValue)
    .option("-f, --parameter-file <file>", "YAML or JSON file of parameter values")
    .option("--entrypoint <template>", "template to start with")
    .option("--name <name>", "name of the workflow")
    .option("--generate-name <prefix>", "prefix of the generated name of the workflow")
    .option("-l, --labels <name=value,...>", "labels of the workflow")
    .option("--serviceaccount <name>", "service account of the pods")
    .option("--priority <number>", "priority of the workflow");
}

/**
 * Parses the values of `--parameter`.
 * @throws {CommandError} for a value without a name.
 */
export function parameterFlags(assignments: readonly string[] = []): ParameterValues {
  try {
    return parseParameterValues(assignments);
  } catch (error) {
    throw error instanceof ActionError ? badInput(error.message) : error;
  }
}

/** Collects the values of a flag that may be repeated. */
export function collectValue(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/**
 * Returns the changes that the flags request.
 * @throws {CommandError} for an invalid flag.
 */
export async function submitOptions(flags: SubmitFlags, world: World): Promise<SubmitOptions> {
  const fromFile = flags.parameterFile ? await readParameterFile(flags.parameterFile, world) : [];
  const fromFlags = parameterFlags(flags.parameter);
  return {
    name: flags.name,
    generateName: flags.generateName,
    entrypoint: flags.entrypoint,
    serviceAccount: flags.serviceaccount,
    priority: flags.priority === undefined ? undefined : readInteger("--priority", flags.priority),
    labels: flags.labels ? readLabels(flags.labels) : undefined,
    parameters: new Map([...fromFile, ...fromFlags]),
  };
}

/**
 * Parses a whole number.
 * @throws {CommandError} that names the flag, for other text.
 */
export function readInteger(flag: string, text: string): number {
  if (!/^-?\d+$/.test(text)) throw badInput(`Expected a whole number for ${flag}, got "${text}"`);
  return Number(text);
}

function readLabels(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(",").map((pair) => {
      const [name, value, ...more] = pair.split("=");
      if (!name || value === undefined || more.length) {
        throw badInput(`expected labels of the form: NAME1=VALUE2,NAME2=VALUE2. Received: ${text}`);
      }
      return [name, value];
    }),
  );
}

/** Returns advice for files that were given with `-f`, as for kubectl; otherwise an empty text. */
export function fileFlagAdvice({ parameterFile }: { readonly parameterFile?: string }): string {
  return parameterFile === undefined ? "" : `. -f is --parameter-file: write ${parameterFile} without a flag`;
}

/** Reads a map of names to values from a YAML or JSON file. Values that are not strings become JSON. */
async function readParameterFile(file: string, world: World): Promise<[string, string][]> {
  const [document] = parseYaml(await readText(file, world));
  const [error] = document?.errors ?? [];
  if (error) throw badInput(`${file}:${error.line}:${error.column}: ${error.message}`);
  const value = document?.value ?? {};
  if (typeof value !== "object" || Array.isArray(value)) {
    throw badInput(`Expected the parameter file ${file} to be a map from names to values`);
  }
  return Object.entries(value).map((
    [name, argument],
  ) => [name, typeof argument === "string" ? argument : JSON.stringify(argument)]);
}
