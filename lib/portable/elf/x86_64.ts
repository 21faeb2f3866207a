/** Machine code for x86-64. */
import { type CallName, type MachineArgument, type Processor, slotOffset } from "./processor.ts";
import { fourBytes } from "./static_program.ts";

const NUMBERS = {
  read: 0,
  write: 1,
  close: 3,
  clone: 56,
  execve: 59,
  exit: 60,
  wait4: 61,
  fcntl: 72,
  chdir: 80,
  fchdir: 81,
  fchown: 93,
  umask: 95,
  setuid: 105,
  setgid: 106,
  getppid: 110,
  setsid: 112,
  setgroups: 116,
  capset: 126,
  pivot_root: 155,
  prctl: 157,
  umount2: 166,
  sethostname: 170,
  openat: 257,
  mkdirat: 258,
  mknodat: 259,
  fchownat: 260,
  symlinkat: 266,
  ppoll: 271,
  unshare: 272,
  dup3: 292,
  pipe2: 293,
  prlimit64: 302,
  setns: 308,
  seccomp: 317,
  pidfd_send_signal: 424,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  pidfd_open: 434,
  close_range: 436,
  openat2: 437,
  mount_setattr: 442,
  landlock_create_ruleset: 444,
  landlock_restrict_self: 446,
} as const satisfies Record<CallName, number>;

/**
 * A register for an argument of a system call: the instructions that load a number, a slot, and the address of a slot.
 */
interface Register {
  readonly number: readonly number[];
  readonly slot: readonly number[];
  readonly address: readonly number[];
}

/** In the order of arguments: edi, esi, edx, r10d, r8d, r9d. */
const REGISTERS: readonly Register[] = [
  { number: [0xbf], slot: [0x8b, 0xbc, 0x24], address: [0x48, 0x8d, 0xbc, 0x24] },
  { number: [0xbe], slot: [0x8b, 0xb4, 0x24], address: [0x48, 0x8d, 0xb4, 0x24] },
  { number: [0xba], slot: [0x8b, 0x94, 0x24], address: [0x48, 0x8d, 0x94, 0x24] },
  { number: [0x41, 0xba], slot: [0x44, 0x8b, 0x94, 0x24], address: [0x4c, 0x8d, 0x94, 0x24] },
  { number: [0x41, 0xb8], slot: [0x44, 0x8b, 0x84, 0x24], address: [0x4c, 0x8d, 0x84, 0x24] },
  { number: [0x41, 0xb9], slot: [0x44, 0x8b, 0x8c, 0x24], address: [0x4c, 0x8d, 0x8c, 0x24] },
];

function load(index: number, arg: MachineArgument): number[] {
  const { number, slot, address } = REGISTERS[index]!;
  if (typeof arg === "number") return [...number, ...fourBytes(arg)]; //                   mov  register, number
  if ("slot" in arg) return [...slot, ...fourBytes(slotOffset(arg))]; //                   mov  register, [rsp+offset]
  return [...address, ...fourBytes(slotOffset(arg.addressOf))]; //                         lea  register, [rsp+offset]
}

export const X86_64: Processor = {
  machine: 62,
  call(name, args) {
    return [
      ...args.flatMap((arg, index) => load(index, arg)),
      ...[0xb8, ...fourBytes(typeof name === "number" ? name : NUMBERS[name])], //                         mov  eax, number
      ...[0x0f, 0x05], //                                                syscall
    ];
  },
  keep: (slot) => [0x89, 0x84, 0x24, ...fourBytes(slotOffset(slot))], // mov  [rsp+offset], eax
  set: (slot, value) => [0xc7, 0x84, 0x24, ...fourBytes(slotOffset(slot)), ...fourBytes(value)],
  mark: (step) => [0xbb, ...fourBytes(step)], //                         mov  ebx, step
  keepMark: (slot) => [0x89, 0x9c, 0x24, ...fourBytes(slotOffset(slot))],
  skipUnlessDone(bytes) {
    return [
      ...[0x85, 0xc0], //                                                test eax, eax
      ...[0x0f, 0x88, ...fourBytes(bytes)], //                           js   there
    ];
  },
  skipWhen(isEqual, value, bytes) {
    return [
      ...[0x3d, ...fourBytes(value)], //                                 cmp  eax, value
      ...[0x0f, isEqual ? 0x84 : 0x85, ...fourBytes(bytes)], //          je, jne there
    ];
  },
  exitAs(status) {
    return [
      ...[0x8b, 0x84, 0x24, ...fourBytes(slotOffset(status))], //        mov  eax, [rsp+offset]
      ...[0x89, 0xc7], //                                                mov  edi, eax
      ...[0xc1, 0xef, 0x08], //                                          shr  edi, 8
      ...[0x83, 0xe0, 0x7f], //                                          and  eax, 127          ; the signal
      ...[0x74, 0x06], //                                                jz   end
      ...[0x8d, 0xb8, ...fourBytes(128)], //                             lea  edi, [rax+128]
      ...[0xb8, ...fourBytes(NUMBERS.exit)], //                   end:   mov  eax, exit
      ...[0x0f, 0x05], //                                                syscall
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

/** `push address`. The address fits into the instruction, because everything is in the first gigabytes. */
function push(address: number): number[] {
  return [0x68, ...fourBytes(address)];
}
