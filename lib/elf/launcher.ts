/**
 * The first program of a container: some 500 bytes of machine code that start Deno with the right flags.
 *
 * A script whose first line names Deno would do, and does on other processors, but a script's line carries one flag and
 * no environment. Then Deno looks for configuration files in the user's image, writes caches to the user's home, and,
 * where it may not, spends 0.15 s on trying: in front of every user's command.
 */

import { DENO_VARIABLES } from "../constants.ts";
import { fourBytes, staticProgram, zeroEnded } from "./static_program.ts";

/** The flags with which Deno runs a bundle: it is all there is, nothing is looked for in the image around it. */
export const BUNDLE_FLAGS: readonly string[] = [
  "--allow-all",
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-npm",
  "--no-remote",
];

/** The variables with which Deno runs a bundle, as a launcher takes them. */
export const BUNDLE_VARIABLES: readonly string[] = Object.entries(DENO_VARIABLES)
  .map(([name, value]) => `${name}=${value}`);

/** What a launcher starts. */
export interface Launch {
  /** The program, by its path. */
  readonly program: string;
  /** Its first arguments, its own name included; those of the launcher follow. */
  readonly args: readonly string[];
  /** Variables (`NAME=value`) for the end of the environment: one that is there already is found first. */
  readonly variables: readonly string[];
}

/** A static ELF program for Linux on x86-64 that replaces itself with what it launches; ends with 127 if it cannot. */
export function launcher({ program, args, variables }: Launch): Uint8Array<ArrayBuffer> {
  const texts = [program, ...variables, ...args];
  return staticProgram(texts.map(zeroEnded), ([program, ...words]) => {
    return machineCode(program!, words.slice(0, variables.length), words.slice(variables.length));
  });
}

/**
 * Builds the new argument list and environment on the stack, last word first, and calls execve. The kernel leaves there:
 * argc, argv[0..], 0, envp[0..], 0.
 */
function machineCode(program: number, variables: readonly number[], args: readonly number[]): number[] {
  return [
    ...[0x48, 0x8b, 0x1c, 0x24], //             mov  rbx, [rsp]             ; argc
    ...[0x48, 0x8d, 0x74, 0x24, 0x08], //       lea  rsi, [rsp+8]           ; argv
    ...[0x48, 0x8d, 0x54, 0xdc, 0x10], //       lea  rdx, [rsp+rbx*8+16]    ; envp
    ...[0x48, 0x89, 0xd7], //                   mov  rdi, rdx
    ...[0x48, 0x83, 0x3f, 0x00], //      end:   cmp  qword [rdi], 0
    ...[0x74, 0x06], //                         je   environment
    ...[0x48, 0x83, 0xc7, 0x08], //             add  rdi, 8
    ...[0xeb, 0xf4], //                         jmp  end
    ...[0x6a, 0x00], //          environment:   push 0
    ...variables.toReversed().flatMap(push),
    ...[0x48, 0x39, 0xd7], //           copy:   cmp  rdi, rdx
    ...[0x74, 0x08], //                         je   arguments
    ...[0x48, 0x83, 0xef, 0x08], //             sub  rdi, 8
    ...[0xff, 0x37], //                         push qword [rdi]
    ...[0xeb, 0xf3], //                         jmp  copy
    ...[0x48, 0x89, 0xe2], //      arguments:   mov  rdx, rsp               ; the new environment
    ...[0x6a, 0x00], //                         push 0
    ...[0x48, 0x83, 0xfb, 0x01], //     next:   cmp  rbx, 1
    ...[0x7e, 0x08], //                         jle  first
    ...[0x48, 0xff, 0xcb], //                   dec  rbx
    ...[0xff, 0x34, 0xde], //                   push qword [rsi+rbx*8]
    ...[0xeb, 0xf2], //                         jmp  next
    ...args.toReversed().flatMap(push), // first:
    ...[0x48, 0x89, 0xe6], //                   mov  rsi, rsp               ; the new arguments
    ...[0xbf, ...fourBytes(program)], //        mov  edi, program
    ...[0xb8, 0x3b, 0x00, 0x00, 0x00], //       mov  eax, 59                ; execve
    ...[0x0f, 0x05], //                         syscall
    ...[0xbf, 0x7f, 0x00, 0x00, 0x00], //       mov  edi, 127
    ...[0xb8, 0x3c, 0x00, 0x00, 0x00], //       mov  eax, 60                ; exit
    ...[0x0f, 0x05], //                         syscall
  ];
}

/** `push address`: the address fits into the instruction, as everything lies in the first gigabytes. */
function push(address: number): number[] {
  return [0x68, ...fourBytes(address)];
}
