/**
 * The seccomp filter of containers: a list of allowed system calls. It has no calls for namespaces, mounts, keys,
 * kernel tracing, modules or clocks. Other calls are refused, and calls newer than the list are reported as not
 * implemented. Programs of another instruction set (32 bits, x32) are killed.
 */
import { ALLOWED_NAMES, allowedCalls, type CallProcessor, JUDGED_CALLS, NEWEST_CALL } from "./system_calls.ts";

/** A BPF instruction: operation, how many instructions to skip if its test is true and if it is false, and operand. */
type Instruction = readonly [operation: number, ifSo: number, ifNot: number, value: number];

const LOAD = 0x20;
const AND = 0x54;
const EQUAL = 0x15;
const GREATER = 0x25;
const AT_LEAST = 0x35;
const ANSWER = 0x06;

/** The offsets in `struct seccomp_data` of the call number, the architecture, and the lower halves of arguments. */
const NUMBER = 0;
const INSTRUCTIONS = 4;
const argument = (index: number) => 16 + 8 * index;

const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;
const refuse = (error: number) => 0x5_0000 | error;
const EPERM = 1;
const ENOSYS = 38;

const INSTRUCTION_SETS = { x86_64: 0xc000_003e, aarch64: 0xc000_00b7 } as const;
/** On x86-64, call numbers from here on belong to x32. */
const X32 = 0x4000_0000;

/** All namespace flags of `clone`. */
const NAMESPACES = 0x7e02_0000;
/**
 * The allowed socket families: Unix sockets, IPv4, IPv6, and netlink. Others reach devices of the machine (radios,
 * buses, virtual machines, cryptography), since containers use its network.
 */
const FAMILIES = [1, /* AF_UNIX */ 2, /* AF_INET */ 10, /* AF_INET6 */ 16 /* AF_NETLINK */];
/** Plain Linux, the same with another name or without address randomization, and the query of the current value. */
const PERSONALITIES = [0, 8, 0x2_0000, 0x2_0008, 0xffff_ffff];

/** The instructions of the filter, encoded for the kernel. */
export function callFilter(processor: CallProcessor): Uint8Array {
  const { clone, clone3, socket, socketpair, personality } = JUDGED_CALLS[processor];
  return encodeInstructions([
    [LOAD, 0, 0, INSTRUCTIONS],
    [EQUAL, 1, 0, INSTRUCTION_SETS[processor]],
    [ANSWER, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
    ...processor === "x86_64" ? [[AT_LEAST, 0, 1, X32], [ANSWER, 0, 0, KILL]] as const : [],
    ...matchCall(clone3, [[ANSWER, 0, 0, refuse(ENOSYS)]]),
    ...matchCall(clone, [
      [LOAD, 0, 0, argument(0)],
      [AND, 0, 0, NAMESPACES],
      [EQUAL, 0, 1, 0],
      [ANSWER, 0, 0, ALLOW],
      [ANSWER, 0, 0, refuse(EPERM)],
    ]),
    ...allowFirstArguments(socket, FAMILIES),
    ...allowFirstArguments(socketpair, FAMILIES),
    ...allowFirstArguments(personality, PERSONALITIES),
    ...rangesOf(allowedCalls(processor)).flatMap(([first, last]): Instruction[] => [
      [GREATER, 2, 0, last],
      [AT_LEAST, 0, 1, first],
      [ANSWER, 0, 0, ALLOW],
    ]),
    [GREATER, 0, 1, NEWEST_CALL],
    [ANSWER, 0, 0, refuse(ENOSYS)],
    [ANSWER, 0, 0, refuse(EPERM)],
  ]);
}

/** The filter for container engines: a seccomp profile as JSON. */
export function engineProfile(): string {
  const allow = "SCMP_ACT_ALLOW";
  const argument = (name: string, index: number, op: string, value: number, valueTwo = 0) => ({
    names: [name],
    action: allow,
    args: [{ index, op: `SCMP_CMP_${op}`, value, valueTwo }],
  });
  return JSON.stringify({
    defaultAction: "SCMP_ACT_ERRNO",
    defaultErrnoRet: EPERM,
    architectures: [Deno.build.arch === "aarch64" ? "SCMP_ARCH_AARCH64" : "SCMP_ARCH_X86_64"],
    syscalls: [
      { names: ALLOWED_NAMES, action: allow },
      argument("clone", 0, "MASKED_EQ", NAMESPACES),
      { names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: ENOSYS },
      ...PERSONALITIES.map((value) => argument("personality", 0, "EQ", value)),
      ...["socket", "socketpair"].flatMap((call) => FAMILIES.map((family) => argument(call, 0, "EQ", family))),
    ],
  });
}

/** The instructions for one call number. Every path through them must return a result. */
function matchCall(number: number, act: readonly Instruction[]): Instruction[] {
  return [[EQUAL, 0, act.length, number], ...act];
}

/** A call that is allowed only with certain first arguments. */
function allowFirstArguments(number: number, values: readonly number[]): Instruction[] {
  return matchCall(number, [
    [LOAD, 0, 0, argument(0)],
    ...values.flatMap((value): Instruction[] => [[EQUAL, 0, 1, value], [ANSWER, 0, 0, ALLOW]]),
    [ANSWER, 0, 0, refuse(EPERM)],
  ]);
}

/** Ascending numbers as ranges: first and last of each. */
function rangesOf(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range && range[1] + 1 === number) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

function encodeInstructions(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(8 * instructions.length);
  const view = new DataView(bytes.buffer);
  for (const [index, [operation, ifSo, ifNot, value]] of instructions.entries()) {
    view.setUint16(8 * index, operation, true);
    view.setUint8(8 * index + 2, ifSo);
    view.setUint8(8 * index + 3, ifNot);
    view.setUint32(8 * index + 4, value, true);
  }
  return bytes;
}
