/** The options of the bench: what its command line asks for. */
import { parseArgs } from "node:util";
import { SCENES } from "./scenes/mod.ts";

/** The name under which the sizes of the page's places are asked for; they are no scene. */
export const SIZES = "sizes";

/** How results are printed. */
export type Output = "text" | "json" | "markdown";

/** What is measured, and how it is printed. */
export interface Options {
  /** Names of scenes, or the beginnings of names; all of them where there is none. */
  readonly names: readonly string[];
  readonly rounds: number;
  readonly isShort: boolean;
  readonly output: Output;
}

const OUTPUTS: readonly Output[] = ["text", "json", "markdown"];
const ROUNDS = 3;

/** The words of `--help`. */
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

/** Reads the command line: the options, or the words that answer it in their place. */
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
  const form = OUTPUTS.find((one) => one === output);
  if (!form) return { fault: `Expected text, json or markdown after -o, got "${output}"` };
  const known = [SIZES, ...SCENES.map(({ name }) => name)];
  const unknown = positionals.filter((name) => !known.some((one) => isMeant(one, name)));
  if (unknown.length > 0) {
    return { fault: `There is no scene "${unknown.join('", "')}"; there are ${known.join(", ")}` };
  }
  return { names: positionals, rounds: once ? 1 : ROUNDS, isShort: once, output: form };
}

/** Whether one of the names means a scene; without names all are meant. */
export function isWanted(scene: string, names: readonly string[]): boolean {
  return names.length === 0 || names.some((name) => isMeant(scene, name));
}

function isMeant(scene: string, name: string): boolean {
  return name !== "" && scene.startsWith(name);
}
