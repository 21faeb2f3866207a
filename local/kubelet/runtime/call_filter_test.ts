import { assert, assertEquals } from "@std/assert";
import { callFilter, engineProfile } from "./call_filter.ts";
import { ALLOWED_NAMES, allowedCalls, type CallProcessor, JUDGED_CALLS, NEWEST_CALL } from "./system_calls.ts";

const SETS = { x86_64: 0xc000_003e, aarch64: 0xc000_00b7 } as const;
const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;
const EPERM = 0x5_0001;
const ENOSYS = 0x5_0026;

/** Interprets the filter's instructions for a system call, and returns the result that the kernel would get. */
function answer(processor: CallProcessor, number: number, first = 0, set: number = SETS[processor]): number {
  const code = callFilter(processor);
  const view = new DataView(code.buffer);
  const data = new Map([[0, number], [4, set], [16, first]]);
  for (let index = 0, value = 0;; index++) {
    const operand = view.getUint32(8 * index + 4, true);
    const jump = (holds: boolean) => index += view.getUint8(8 * index + (holds ? 2 : 3));
    switch (view.getUint16(8 * index, true)) {
      case 0x20:
        value = data.get(operand)! >>> 0;
        break;
      case 0x54:
        value = (value & operand) >>> 0;
        break;
      case 0x15:
        jump(value === operand);
        break;
      case 0x25:
        jump(value > operand);
        break;
      case 0x35:
        jump(value >= operand);
        break;
      case 0x06:
        return operand;
      default:
        throw new Error("Unknown instruction");
    }
  }
}

for (const processor of ["x86_64", "aarch64"] as const) {
  const { clone, clone3, socket, socketpair, personality } = JUDGED_CALLS[processor];

  Deno.test(`callFilter: for ${processor}, allows exactly the calls of the list`, () => {
    const judged = new Set<number>(Object.values(JUDGED_CALLS[processor]));
    const allowed = new Set(allowedCalls(processor));
    for (let number = 0; number <= NEWEST_CALL; number++) {
      if (!judged.has(number)) {
        assertEquals(answer(processor, number), allowed.has(number) ? ALLOW : EPERM, `${number}`);
      }
    }
    assertEquals([NEWEST_CALL + 1, 0x3fff_ffff].map((number) => answer(processor, number)), [ENOSYS, ENOSYS]);
  });

  Deno.test(`callFilter: for ${processor}, allows processes and threads, but no namespaces`, () => {
    const SIGCHLD = 17;
    const THREAD = 0x3d_0f00;
    assertEquals([SIGCHLD, THREAD].map((flags) => answer(processor, clone, flags)), [ALLOW, ALLOW]);
    for (const bit of [17, 25, 26, 27, 28, 29, 30]) {
      assertEquals(answer(processor, clone, 2 ** bit | SIGCHLD), EPERM, `bit ${bit}`);
    }
    assertEquals(answer(processor, clone3), ENOSYS);
  });

  Deno.test(`callFilter: for ${processor}, checks the first argument of socket and personality`, () => {
    for (const call of [socket, socketpair]) {
      const allowed = Array.from({ length: 100 }, (_, family) => family)
        .filter((family) => answer(processor, call, family) === ALLOW);
      assertEquals(allowed, [1, 2, 10, 16]);
    }
    assertEquals([0, 0x2_0008, 0xffff_ffff].map((to) => answer(processor, personality, to)), Array(3).fill(ALLOW));
    assertEquals(answer(processor, personality, 0x40_0000), EPERM);
  });

  Deno.test(`callFilter: for ${processor}, kills programs of other instruction sets`, () => {
    assertEquals(answer(processor, allowedCalls(processor)[0]!, 0, 0x4000_0003), KILL);
    if (processor === "x86_64") assertEquals(answer(processor, 0x4000_0000), KILL);
  });
}

Deno.test("engineProfile: has the same names, and no refused call", () => {
  const { syscalls } = JSON.parse(engineProfile());
  assertEquals(syscalls[0].names, ALLOWED_NAMES);
  for (
    const name of ["mount", "unshare", "setns", "keyctl", "bpf", "io_uring_setup", "clone", "socket", "socketpair"]
  ) {
    assert(!ALLOWED_NAMES.includes(name), name);
  }
});
