/** Machine code for x86-64. */
import { ANSWER, type Processor } from "./processor.ts";
import { fourBytes } from "./static_program.ts";

const NUMBERS = {
  write: 1,
  execve: 59,
  exit: 60,
  fcntl: 72,
  chdir: 80,
  setuid: 105,
  setgid: 106,
  setgroups: 116,
  prctl: 157,
  umount2: 166,
  openat: 257,
  unshare: 272,
} as const;

/** `mov edi, …`, `mov esi, …`, `mov edx, …`, `mov r10d, …`: where the kernel looks for arguments. */
const REGISTERS: readonly (readonly number[])[] = [[0xbf], [0xbe], [0xba], [0x41, 0xba]];

export const X86_64: Processor = {
  machine: 62,
  call(name, args) {
    return [
      ...args.flatMap((arg, index) =>
        // It is only ever the first.
        arg === ANSWER ? [0x89, 0xc7] : [...REGISTERS[index]!, ...fourBytes(arg)] // mov edi, eax
      ),
      ...[0xb8, ...fourBytes(NUMBERS[name])], //  mov eax, number
      ...[0x0f, 0x05], //                         syscall
    ];
  },
  skipUnlessDone(bytes) {
    return [
      ...[0x85, 0xc0], //                         test eax, eax
      ...[0x0f, 0x88, ...fourBytes(bytes)], //    js   there
    ];
  },
  launch({ program, variables, args }) {
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
      ...[0xb8, ...fourBytes(NUMBERS.execve)], // mov  eax, execve
      ...[0x0f, 0x05], //                         syscall
    ];
  },
};

/** `push address`: the address fits into the instruction, as everything lies in the first gigabytes. */
function push(address: number): number[] {
  return [0x68, ...fourBytes(address)];
}
