/** The command-line options of the bench. */
import { parseArgs } from "node:util";
import { SCENES } from "./scenes/mod.ts";

/** The name for the sizes of the page's files, which are not a scene. */
export const SIZES = "sizes";

/** The output format. */
export type Output = "text" | "json" | "markdown";

/** The scenes to measure, and the output format. */
export interface Options {
  /** Names of scenes or their prefixes; empty for all scenes. */
  readonly names: readonly string[];
  readonly rounds: number;
  readonly isShort: boolean;
  readonly output: Output;
}

const OUTPUTS: readonly Output[] = ["text", "json", "markdown"];
const ROUNDS = 3;

/** The help text. */
export function usage(): string {
  const width = Math.max(...SCENES.map(({ name }) => name.length));
  const scenes = [
    `  ${SIZES.padEnd(width)}  what a browser loads for each place of the page`,
    ...SCENES.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
  ];
  return `Usage: deno task bench ui [OPTIONS] [NAME...]

Measures the page in Chromium against its budgets; without names all scenes. A name may be the beginning of several.

${scenes.join("\n")}

Options:
  --once             each scene once, the long ones shorter; else the median of ${ROUNDS} rounds, long ones once
  -o, --output FORM  text, json or markdown
  -h, --help         prints this

With ARGO_PAGE=FOLDER, the folder of the built files of Argo's page (ui/dist/app), that page is measured too, in turns.`;
}

/** Parses the command line. Returns the options, the help text, or an error message. */
export function readOptions(args: readonly string[]): Options | { readonly help: string } | { readonly fault: string } {
  let read;
  try {
    read = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        once: { type: "boolean", default: false },
        output: { type: "string", short: "o", default: "text" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    return { fault: (error as Error).message.split("\n")[0]! };
  }
  const { values: { once, output, help }, positionals } = read;
  if (help) return { help: usage() };
  const form = OUTPUTS.find((candidate) => candidate === output);
  if (!form) return { fault: `Expected text, json or markdown after -o, got "${output}"` };
  const known = [SIZES, ...SCENES.map(({ name }) => name)];
  const unknown = positionals.filter((name) => !known.some((candidate) => isPrefix(candidate, name)));
  if (unknown.length > 0) {
    return { fault: `Unknown scene "${unknown.join('", "')}": expected ${known.join(", ")}` };
  }
  return { names: positionals, rounds: once ? 1 : ROUNDS, isShort: once, output: form };
}

/** Whether one of the names is a prefix of a scene's name; true without names. */
export function isWanted(scene: string, names: readonly string[]): boolean {
  return names.length === 0 || names.some((name) => isPrefix(scene, name));
}

function isPrefix(scene: string, name: string): boolean {
  return name !== "" && scene.startsWith(name);
}
