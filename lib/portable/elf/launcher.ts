/**
 * The first program of a container: some 500 bytes of machine code that start Deno with the right flags.
 *
 * A script whose first line names Deno would do, and does on other processors, but a script's line carries one flag and
 * no environment. Then Deno looks for configuration files in the user's image, writes caches to the user's home, and,
 * where it may not, spends 0.15 s on trying: in front of every user's command.
 */

import { DENO_VARIABLES } from "@tiphys/base/constants";
import { processorFor } from "./processors.ts";
import { staticProgram, zeroEnded } from "./static_program.ts";

/** The flags with which Deno runs a bundle: it is all there is, nothing is looked for in the image around it. */
export const BUNDLE_FLAGS: readonly string[] = [
  "--allow-all",
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-npm",
  "--no-remote",
];

/**
 * The flags of the executor beside those: young objects have 2 MB, not 16 and more. It moves gigabytes through the little
 * memory that is left beside a user's command, and what it makes for each of many small files is garbage at once.
 */
export const EXECUTOR_FLAGS: readonly string[] = ["--v8-flags=--max-semi-space-size=2"];

/** The variables with which Deno runs a bundle, as a launcher takes them. */
export const BUNDLE_VARIABLES: readonly string[] = Object.entries(DENO_VARIABLES)
  .map(([name, value]) => `${name}=${value}`);

/** The program that a launcher starts. */
export interface Launch {
  /** The program, by its path. */
  readonly program: string;
  /** Its first arguments, its own name included; those of the launcher follow. */
  readonly args: readonly string[];
  /** Variables (`NAME=value`) for the end of the environment: one that is there already is found first. */
  readonly variables: readonly string[];
}

/** Exit codes, as shells have them. */
const NOT_STARTED = 127;

/** A static ELF program for Linux that replaces itself with what it launches; ends with 127 if it cannot. */
export function launcher({ program, args, variables }: Launch, arch?: string): Uint8Array<ArrayBuffer> {
  const processor = processorFor(arch);
  const texts = [program, ...variables, ...args].map(zeroEnded);
  return staticProgram(processor.machine, texts, ([program, ...words]) => [
    ...processor.launch({
      program: program!,
      variables: words.slice(0, variables.length),
      args: words.slice(variables.length),
    }),
    ...processor.call("exit", [NOT_STARTED]),
  ]);
}
