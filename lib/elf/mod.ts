/**
 * Programs of a few hundred bytes, made when they are needed: what must run inside a user's image can rely on nothing that
 * is in it, neither a shell nor a C library.
 *
 * - `static_program.ts`: headers, code and data of one;
 * - `launcher.ts`: starts Deno in front of a user's command;
 * - `entry.ts`: the last step into a container of the embedded cluster;
 * - `processor.ts`: what both ask of a processor; `x86_64.ts`, `aarch64.ts`: its machine code; `processors.ts`: which.
 *
 * Knows Linux; imports nothing but constants.
 *
 * @module
 */
export * from "./entry.ts";
export * from "./launcher.ts";
export { canMakePrograms } from "./processors.ts";
