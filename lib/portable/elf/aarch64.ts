/** Machine code for 64-bit ARM: every instruction is one word. */
import { type CallName, type MachineArgument, type Processor, type Slot, slotOffset } from "./processor.ts";
import { fourBytes } from "./static_program.ts";

const NUMBERS = {
  dup3: 24,
  fcntl: 25,
  mknodat: 33,
  mkdirat: 34,
  symlinkat: 36,
  umount2: 39,
  pivot_root: 41,
  chdir: 49,
  fchdir: 50,
  fchownat: 54,
  fchown: 55,
  openat: 56,
  close: 57,
  pipe2: 59,
  read: 63,
  write: 64,
  ppoll: 73,
  capset: 91,
  exit: 93,
  unshare: 97,
  setgid: 144,
  setuid: 146,
  setsid: 157,
  setgroups: 159,
  sethostname: 161,
  umask: 166,
  prctl: 167,
  getppid: 173,
  clone: 220,
  execve: 221,
  wait4: 260,
  prlimit64: 261,
  setns: 268,
  seccomp: 277,
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

/** The register with the number of a system call. */
const NUMBER_REGISTER = 8;
/** A register that no system call changes. */
const MARK_REGISTER = 19;
const SPARE_REGISTER = 9;
const CALL_KERNEL = 0xd400_0001; // svc #0
const PUSH_X5 = 0xf81f_8d25; //     str x5, [x9, #-8]!

export const AARCH64: Processor = {
  machine: 183,
  call(name, args) {
    return wordsOf([
      ...args.flatMap((arg, index) => load(index, arg)),
      ...move(NUMBER_REGISTER, typeof name === "number" ? name : NUMBERS[name]),
      CALL_KERNEL,
    ]);
  },
  keep: (slot) => wordsOf([toSlot(0, slot)]),
  set: (slot, value) => wordsOf([...move(SPARE_REGISTER, value), toSlot(SPARE_REGISTER, slot)]),
  mark: (step) => wordsOf(move(MARK_REGISTER, step)),
  keepMark: (slot) => wordsOf([toSlot(MARK_REGISTER, slot)]),
  skipUnlessDone(bytes) {
    // tbnz w0, #31, there: the distance is counted in words from this instruction. Its range is 32 kB, so it only skips
    // a jump with a larger range.
    return wordsOf([
      0x36f8_0040, //                            tbz  w0, #31, after the next
      0x1400_0000 | (1 + bytes / 4), //          b    there
    ]);
  },
  skipWhen(isEqual, value, bytes) {
    return wordsOf([
      ...move(SPARE_REGISTER, value),
      0x6b09_001f, //                            cmp  w0, w9
      0x5400_0040 | (isEqual ? 1 : 0), //        b.ne, b.eq after the next
      0x1400_0000 | (1 + bytes / 4), //          b    there
    ]);
  },
  exitAs(status) {
    return wordsOf([
      fromSlot(1, status),
      0x5308_3c20, //                            ubfx w0, w1, #8, #8
      0x7200_1821, //                            ands w1, w1, #127          ; the signal
      0x5400_0040, //                            b.eq after the next
      0x1102_0020, //                            add  w0, w1, #128
      ...move(NUMBER_REGISTER, NUMBERS.exit),
      CALL_KERNEL,
    ]);
  },
  // The stack pointer must remain a multiple of 16, so the lists are built with x9.
  launch({ program, variables, args }) {
    return wordsOf([
      0xf940_03e3, //           ldr  x3, [sp]               ; argc
      0x9100_03e9, //           mov  x9, sp
      0x9100_2121, //           add  x1, x9, #8             ; argv
      0x8b03_0c22, //           add  x2, x1, x3, lsl #3
      0x9100_2042, //           add  x2, x2, #8             ; envp
      0xaa02_03e4, //           mov  x4, x2
      0xf840_8485, //     end:  ldr  x5, [x4], #8
      0xb5ff_ffe5, //           cbnz x5, end
      0xd100_2084, //           sub  x4, x4, #8
      0xf81f_8d3f, //           str  xzr, [x9, #-8]!
      ...variables.toReversed().flatMap(push),
      0xeb02_009f, //    copy:  cmp  x4, x2
      0x5400_0080, //           b.eq arguments
      0xf85f_8c85, //           ldr  x5, [x4, #-8]!
      PUSH_X5,
      0x17ff_fffc, //           b    copy
      0xaa09_03ea, // arguments: mov x10, x9                ; the new environment
      0xf81f_8d3f, //           str  xzr, [x9, #-8]!
      0xf100_047f, //    next:  cmp  x3, #1
      0x5400_00ad, //           b.le first
      0xd100_0463, //           sub  x3, x3, #1
      0xf863_7825, //           ldr  x5, [x1, x3, lsl #3]
      PUSH_X5,
      0x17ff_fffb, //           b    next
      ...args.toReversed().flatMap(push), // first:
      0xaa09_03e1, //           mov  x1, x9                 ; the new arguments
      0xaa0a_03e2, //           mov  x2, x10
      ...move(0, program),
      ...move(NUMBER_REGISTER, NUMBERS.execve),
      CALL_KERNEL,
    ]);
  },
};

function push(address: number): number[] {
  return [...move(5, address), PUSH_X5];
}

function load(register: number, arg: MachineArgument): number[] {
  if (typeof arg === "number") return move(register, arg);
  if ("slot" in arg) return [fromSlot(register, arg)];
  return [0xd100_0000 | -slotOffset(arg.addressOf) << 10 | 31 << 5 | register]; // sub xN, sp, #offset
}

/** `stur wN, [sp, #offset]` */
function toSlot(register: number, slot: Slot): number {
  return 0xb800_0000 | (slotOffset(slot) & 0x1ff) << 12 | 31 << 5 | register;
}

/** `ldur wN, [sp, #offset]` */
function fromSlot(register: number, slot: Slot): number {
  return 0xb840_0000 | (slotOffset(slot) & 0x1ff) << 12 | 31 << 5 | register;
}

/**
 * `movz wN, low` and `movk wN, high, lsl #16`: always both, because the length of code must not depend on the value.
 */
function move(register: number, value: number): number[] {
  const half = (bits: number) => (bits & 0xffff) << 5 | register;
  return [0x5280_0000 | half(value), 0x72a0_0000 | half(value >>> 16)];
}

function wordsOf(words: readonly number[]): number[] {
  return words.flatMap(fourBytes);
}
