/**
 * Programs of a few hundred bytes, made when they are needed: what must run inside a user's image can rely on nothing that
 * is in it, neither a shell nor a C library.
 *
 * - `static_program.ts`: headers, code and data of one;
 * - `launcher.ts`: starts Deno in front of a user's command;
 * - `entry.ts`: the last step into a container of the embedded cluster.
 *
 * Knows Linux on x86-64; imports nothing but constants.
 *
 * @module
 */
export * from "./entry.ts";
export * from "./launcher.ts";
