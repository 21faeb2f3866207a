/**
 * The first program of a container: about 500 bytes of machine code that start Deno with the right flags.
 *
 * A script with a shebang would work, and is used on other processors, but a shebang can have only one flag and no
 * environment. Then Deno looks for configuration files in the user's image, writes caches to the user's home, and, if
 * it may not, spends 0.15 s on trying, before every user command.
 */

import { DENO_VARIABLES } from "@tiphys/base/constants";
import { processorFor } from "./processors.ts";
import { staticProgram, zeroTerminated } from "./static_program.ts";

/**
 * The flags with which Deno runs a bundle: the bundle is self-contained, and nothing is read from the image around it.
 */
export const BUNDLE_FLAGS: readonly string[] = [
  "--allow-all",
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-npm",
  "--no-remote",
];

/**
 * Additional flags of the executor: a young generation of 2 MB, instead of 16 MB or more. The executor transfers
 * gigabytes with the little memory that a user's command leaves, and the objects that it creates for each of many small
 * files become garbage immediately.
 */
export const EXECUTOR_FLAGS: readonly string[] = ["--v8-flags=--max-semi-space-size=2"];

/** The variables with which Deno runs a bundle, for a launcher. */
export const BUNDLE_VARIABLES: readonly string[] = Object.entries(DENO_VARIABLES)
  .map(([name, value]) => `${name}=${value}`);

/** The program that a launcher starts. */
export interface Launch {
  /** The path of the program. */
  readonly program: string;
  /** Its first arguments, including its name; the arguments of the launcher follow. */
  readonly args: readonly string[];
  /** Variables (`NAME=value`) that are appended to the environment. Existing variables take precedence. */
  readonly variables: readonly string[];
}

/** The exit code of shells for a command that could not be started. */
const NOT_STARTED = 127;

/** Builds a static ELF program for Linux that executes another program; it exits with 127 if it cannot. */
export function launcher({ program, args, variables }: Launch, arch?: string): Uint8Array<ArrayBuffer> {
  const processor = processorFor(arch);
  const texts = [program, ...variables, ...args].map(zeroTerminated);
  return staticProgram(processor.machine, texts, ([program, ...words]) => [
    ...processor.launch({
      program: program!,
      variables: words.slice(0, variables.length),
      args: words.slice(variables.length),
    }),
    ...processor.call("exit", [NOT_STARTED]),
  ]);
}
