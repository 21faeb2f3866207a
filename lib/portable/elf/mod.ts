/**
 * Tiny programs that are generated when they are needed, because a program that runs in a user's image can rely on
 * nothing in it, neither a shell nor a C library.
 *
 * - `static_program.ts`: headers, code and data of a program;
 * - `launcher.ts`: starts Deno before a user's command;
 * - `kernel_program.ts`: a list of system calls, with which the embedded cluster enters a container;
 * - `processor.ts`: the interface of a processor; `x86_64.ts`, `aarch64.ts`: machine code; `processors.ts`: the
 *   selection.
 *
 * It supports Linux, and imports nothing but constants.
 *
 * @module
 */
export * from "./kernel_program.ts";
export * from "./launcher.ts";
export type { Slot } from "./processor.ts";
export { canMakePrograms } from "./processors.ts";
