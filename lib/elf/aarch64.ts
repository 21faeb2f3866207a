/** Machine code for 64-bit ARM: every instruction is one word. */
import { ANSWER, type Processor } from "./processor.ts";
import { fourBytes } from "./static_program.ts";

const NUMBERS = {
  fcntl: 25,
  umount2: 39,
  chdir: 49,
  openat: 56,
  write: 64,
  exit: 93,
  unshare: 97,
  setgid: 144,
  setuid: 146,
  setgroups: 159,
  prctl: 167,
  execve: 221,
} as const;

/** Where the kernel looks for the number of a call. */
const NUMBER_REGISTER = 8;
const CALL_KERNEL = 0xd400_0001; // svc #0
const PUSH_X5 = 0xf81f_8d25; //     str x5, [x9, #-8]!

export const AARCH64: Processor = {
  machine: 183,
  call(name, args) {
    return wordsOf([
      // The answer stands already where the first argument goes, and it is only ever the first.
      ...args.flatMap((arg, index) => arg === ANSWER ? [] : move(index, arg)),
      ...move(NUMBER_REGISTER, NUMBERS[name]),
      CALL_KERNEL,
    ]);
  },
  skipUnlessDone(bytes) {
    // tbnz w0, #31, there: counted in words from this one.
    return wordsOf([0x37f8_0000 | (1 + bytes / 4) << 5]);
  },
  // The stack pointer itself would have to stay a multiple of 16, so the lists are made through x9.
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

/** `movz wN, low` and `movk wN, high, lsl #16`: always both, as code is of one length whatever is in it. */
function move(register: number, value: number): number[] {
  const half = (bits: number) => (bits & 0xffff) << 5 | register;
  return [0x5280_0000 | half(value), 0x72a0_0000 | half(value >>> 16)];
}

function wordsOf(words: readonly number[]): number[] {
  return words.flatMap(fourBytes);
}
