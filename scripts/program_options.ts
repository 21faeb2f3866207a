/**
 * Options of the programs behind `deno task`: `--help` and wrong options print the comment at the top of the program.
 */
import { parseArgs, type ParseArgsConfig } from "node:util";

/** The values and positionals of a command line, as `parseArgs` returns them. */
export type ProgramOptions<Config extends ParseArgsConfig> = ReturnType<typeof parseArgs<Config>>;

/**
 * Parses the command line of the running program. Ends the program after `--help`, and with code 2 after a wrong
 * option.
 */
export function programOptions<const Config extends ParseArgsConfig>(config: Config): ProgramOptions<Config> {
  if (Deno.args.some((arg) => arg === "--help" || arg === "-h")) {
    console.log(usageOf(Deno.readTextFileSync(new URL(Deno.mainModule))));
    Deno.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(`${error.message}\n\n${usageOf(Deno.readTextFileSync(new URL(Deno.mainModule)))}`);
    Deno.exit(2);
  }
}

/** Returns the text of the doc comment at the top of a source file; empty without one. */
export function usageOf(source: string): string {
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? "";
  return comment.split("\n").map((line) => line.replace(/^ \* ?/, "").trimEnd()).join("\n").trim();
}
