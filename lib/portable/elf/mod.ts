/**
 * Programs of a few kilobytes at most, made when they are needed: what must run inside a user's image can rely on nothing that
 * is in it, neither a shell nor a C library.
 *
 * - `static_program.ts`: headers, code and data of one;
 * - `launcher.ts`: starts Deno in front of a user's command;
 * - `kernel_program.ts`: a list of calls of the kernel; the embedded cluster's way into a container;
 * - `processor.ts`: what both ask of a processor; `x86_64.ts`, `aarch64.ts`: its machine code; `processors.ts`: which.
 *
 * Knows Linux; imports nothing but constants.
 *
 * @module
 */
export * from "./kernel_program.ts";
export * from "./launcher.ts";
export type { Slot } from "./processor.ts";
export { canMakePrograms } from "./processors.ts";
