/**
 * The last step into a container: takes the rights away, becomes the user, and starts the program. A shell or tools for it
 * would have to be in the image; so it is a program of its own, made for one container, that needs nothing.
 */
import { fourBytes, type Piece, staticProgram, zeroEnded } from "./static_program.ts";

/** Who a process is. */
export interface Identity {
  readonly user: number;
  readonly group: number;
  readonly groups: readonly number[];
}

/** How a container's program is started. */
export interface Entry {
  /** Whether the machine's own file system still lies over the root, as after `pivot_root . .`, and must go. */
  readonly leaveOldRoot: boolean;
  /** Numbers of the capabilities that no process of the container may ever have. */
  readonly withoutCapabilities: readonly number[];
  /**
   * Who the program runs as. `own`: as told, which takes the right to change. `shown`: in a user namespace whose caller has
   * one identity only, which is shown under the number.
   */
  readonly identity: { readonly kind: "own"; readonly as: Identity } | {
    readonly kind: "shown";
    readonly as: Identity;
  };
  readonly workingDir: string;
  /** Where the program may be; the first that can be started is. */
  readonly candidates: readonly string[];
  readonly args: readonly string[];
  /** `NAME=value` each. */
  readonly env: readonly string[];
  /**
   * A file descriptor that is told {@link REACHED}, and {@link MISSING} after it when no candidate could be started;
   * {@link REFUSED} alone when something before that failed. The program does not get it.
   */
  readonly report?: number;
}

/** The program is about to be started. */
export const REACHED = "reached\n";
/** None of the places had a program that runs. */
export const MISSING = "missing\n";
/** Something before it could not be done. */
export const REFUSED = "refused\n";

/** Exit codes, as shells have them. */
const NOT_STARTED = 127;

/** The calls of Linux on x86-64 that are made. */
const CALL = {
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

const PR_SET_PDEATHSIG = 1;
const PR_CAPBSET_DROP = 24;
const SIGKILL = 9;
const MNT_DETACH = 2;
const F_SETFD = 2;
const FD_CLOEXEC = 1;
const AT_FDCWD = -100;
const O_WRONLY = 1;
const O_CLOEXEC = 0x8_0000;
const CLONE_NEWUSER = 0x1000_0000;

/** Makes the program. */
export function entryProgram(entry: Entry): Uint8Array<ArrayBuffer> {
  const data = new DataSection();
  const calls = [...leave(entry, data), ...become(entry, data), ...start(entry, data)];
  const failed = [...report(entry, data, REFUSED), attempt("exit", NOT_STARTED)];
  return staticProgram(data.pieces, (addresses) => machineCode(calls, failed, addresses));
}

function leave({ leaveOldRoot, withoutCapabilities, report }: Entry, data: DataSection): Call[] {
  return [
    ...(report === undefined ? [] : [call("fcntl", report, F_SETFD, FD_CLOEXEC)]),
    ...(leaveOldRoot ? [call("umount2", data.text("."), MNT_DETACH)] : []),
    // One that this kernel does not know cannot be had either.
    ...withoutCapabilities.map((capability) => attempt("prctl", PR_CAPBSET_DROP, capability)),
  ];
}

function become({ identity: { kind, as }, workingDir }: Entry, data: DataSection): Call[] {
  const identity = kind === "own"
    ? [
      call("setgroups", as.groups.length, data.numbers(as.groups)),
      call("setgid", as.group),
      call("setuid", as.user),
    ]
    : [
      call("unshare", CLONE_NEWUSER),
      ...writeFile(data, "/proc/self/setgroups", "deny"),
      ...writeFile(data, "/proc/self/gid_map", `${as.group} 0 1`),
      ...writeFile(data, "/proc/self/uid_map", `${as.user} 0 1`),
    ];
  // A change of the user takes the death signal away.
  return [...identity, call("prctl", PR_SET_PDEATHSIG, SIGKILL), call("chdir", data.text(workingDir))];
}

function start(entry: Entry, data: DataSection): Call[] {
  const args = data.list(entry.args);
  const env = data.list(entry.env);
  return [
    ...report(entry, data, REACHED),
    ...entry.candidates.map((candidate) => attempt("execve", data.text(candidate), args, env)),
    ...report(entry, data, MISSING),
    attempt("exit", NOT_STARTED),
  ];
}

function report({ report }: Entry, data: DataSection, text: string): Call[] {
  return report === undefined ? [] : [attempt("write", report, data.text(text), text.length)];
}

function writeFile(data: DataSection, path: string, text: string): Call[] {
  return [
    call("openat", AT_FDCWD, data.text(path), O_WRONLY | O_CLOEXEC),
    call("write", ANSWER, data.text(text), text.length),
  ];
}

/** A piece of data, whose address is an argument. */
interface Address {
  readonly piece: number;
}

/** What the call before answered. */
const ANSWER = "answer";

type Argument = number | Address | typeof ANSWER;

/** A call of the kernel, and whether all ends when it fails. */
interface Call {
  readonly number: number;
  readonly args: readonly Argument[];
  readonly mustSucceed: boolean;
}

function call(name: keyof typeof CALL, ...args: Argument[]): Call {
  return { number: CALL[name], args, mustSucceed: true };
}

function attempt(name: keyof typeof CALL, ...args: Argument[]): Call {
  return { number: CALL[name], args, mustSucceed: false };
}

/** The pieces of data, in the order in which they were asked for. */
class DataSection {
  readonly pieces: Piece[] = [];

  text(text: string): Address {
    return this.#add(zeroEnded(text));
  }

  /** Numbers of four bytes each. */
  numbers(numbers: readonly number[]): Address {
    return this.#add(new Uint8Array(numbers.flatMap(fourBytes)));
  }

  list(texts: readonly string[]): Address {
    const addressesOf = texts.map((text) => this.text(text).piece);
    return this.#add({ addressesOf });
  }

  #add(piece: Piece): Address {
    return { piece: this.pieces.push(piece) - 1 };
  }
}

/** `mov edi, …`, `mov esi, …`, `mov edx, …`, `mov r10d, …`: where the kernel looks for arguments. */
const REGISTERS: readonly (readonly number[])[] = [[0xbf], [0xbe], [0xba], [0x41, 0xba]];

/** All calls in a row; behind them, what is done when one of them fails that must not. */
function machineCode(calls: readonly Call[], failed: readonly Call[], addresses: readonly number[]): number[] {
  const bodies = calls.map((one) => instructions(one, addresses));
  const checkBytes = 8;
  let left = calls.reduce(
    (sum, { mustSucceed }, index) => sum + bodies[index]!.length + (mustSucceed ? checkBytes : 0),
    0,
  );
  const code: number[] = [];
  for (const [index, { mustSucceed }] of calls.entries()) {
    code.push(...bodies[index]!);
    left -= bodies[index]!.length;
    if (!mustSucceed) continue;
    left -= checkBytes;
    code.push(
      ...[0x85, 0xc0], //                       test eax, eax
      ...[0x0f, 0x88, ...fourBytes(left)], //   js   failed
    );
  }
  return [...code, ...failed.flatMap((one) => instructions(one, addresses))];
}

function instructions({ number, args }: Call, addresses: readonly number[]): number[] {
  return [
    ...args.flatMap((arg, index) => {
      if (arg === ANSWER) return [0x89, 0xc7]; // mov edi, eax: it is only ever the first
      return [...REGISTERS[index]!, ...fourBytes(typeof arg === "number" ? arg : addresses[arg.piece]!)];
    }),
    ...[0xb8, ...fourBytes(number)], //         mov eax, number
    ...[0x0f, 0x05], //                         syscall
  ];
}
