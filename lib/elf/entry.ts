/**
 * The last step into a container: takes the rights away, becomes the user, and starts the program. A shell or tools for it
 * would have to be in the image; so it is a program of its own, made for one container, that needs nothing.
 */
import { ANSWER, type CallName, type Processor } from "./processor.ts";
import { processorFor } from "./processors.ts";
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
export function entryProgram(entry: Entry, arch?: string): Uint8Array<ArrayBuffer> {
  const processor = processorFor(arch);
  const data = new DataSection();
  const calls = [...leave(entry, data), ...become(entry, data), ...start(entry, data)];
  const failed = [...report(entry, data, REFUSED), attempt("exit", NOT_STARTED)];
  return staticProgram(processor.machine, data.pieces, (at) => machineCode(processor, calls, failed, at));
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

type Argument = number | Address | typeof ANSWER;

/** A call of the kernel, and whether all ends when it fails. */
interface Call {
  readonly name: CallName;
  readonly args: readonly Argument[];
  readonly mustSucceed: boolean;
}

function call(name: CallName, ...args: Argument[]): Call {
  return { name, args, mustSucceed: true };
}

function attempt(name: CallName, ...args: Argument[]): Call {
  return { name, args, mustSucceed: false };
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

/** All calls in a row; behind them, what is done when one of them fails that must not. */
function machineCode(
  processor: Processor,
  calls: readonly Call[],
  failed: readonly Call[],
  addresses: readonly number[],
): number[] {
  const codeOf = ({ name, args }: Call) =>
    processor.call(name, args.map((arg) => typeof arg === "object" ? addresses[arg.piece]! : arg));
  // From the end, where what is left out is known.
  let code: number[] = [];
  for (const one of calls.toReversed()) {
    const check = one.mustSucceed ? processor.skipUnlessDone(code.length) : [];
    code = [...codeOf(one), ...check, ...code];
  }
  return [...code, ...failed.flatMap(codeOf)];
}
