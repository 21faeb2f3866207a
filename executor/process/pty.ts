/** A pseudo terminal. The command uses one side as its terminal; the executor reads and writes the other side. */
import { ExecutorError } from "../failure.ts";
import type { TerminalSize } from "../world.ts";

const O_RDWR = 2;
const O_NOCTTY = 0o400;
const O_CLOEXEC = 0o2000000;
const TIOCSWINSZ = 0x5414n;
const POLLIN = 1;

/** Index of `c_oflag` in `struct termios`. Its bit OPOST converts line feeds into CR LF. */
const OUTPUT_FLAGS = 1;
const OPOST = 1;
const TERMIOS_WORDS = 16;

const READ_BYTES = 65_536;
const NAME_BYTES = 64;
/** More than the kernel buffers for a terminal. Only processes that keep printing exceed it. */
const LAST_BYTES = 131_072;

const SYMBOLS = {
  posix_openpt: { parameters: ["i32"], result: "i32" },
  grantpt: { parameters: ["i32"], result: "i32" },
  unlockpt: { parameters: ["i32"], result: "i32" },
  ptsname_r: { parameters: ["i32", "buffer", "usize"], result: "i32" },
  tcgetattr: { parameters: ["i32", "buffer"], result: "i32" },
  tcsetattr: { parameters: ["i32", "i32", "buffer"], result: "i32" },
  ioctl: { parameters: ["i32", "usize", "buffer"], result: "i32" },
  eventfd: { parameters: ["u32", "i32"], result: "i32" },
  poll: { parameters: ["buffer", "usize", "i32"], result: "i32", nonblocking: true },
  open: { parameters: ["buffer", "i32"], result: "i32" },
  read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  close: { parameters: ["i32"], result: "i32" },
} as const;

/** The controlling side of a pseudo terminal. */
export interface Pty {
  /** The command's side, as a file descriptor. It stays open in this process until {@link Pty.releaseCommandSide}. */
  readonly commandSide: number;
  /**
   * Closes this process's copy of the command's side. From then on, reading ends when the last process that has it
   * exits.
   */
  releaseCommandSide(): void;
  /**
   * Reads the next output. Resolves to undefined when all processes have closed the command's side, or, after `stop`,
   * when no more output is available.
   */
  read(): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Sends input to the command. */
  write(bytes: Uint8Array<ArrayBuffer>): void;
  resize(size: TerminalSize): void;
  /** From now on, `read` does not wait for output, and reads at most {@link LAST_BYTES} of it. */
  stop(): void;
}

/**
 * Opens a pseudo terminal that does not convert line feeds, so that captured output is the same as without a terminal.
 * @throws {ExecutorError} when the kernel does not provide one.
 */
export function openPty(): Pty {
  const libc = Deno.dlopen("libc.so.6", SYMBOLS).symbols;
  const ours = checkResult("a pseudo terminal", libc.posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  checkResult("access to it", libc.grantpt(ours));
  checkResult("its lock", libc.unlockpt(ours));
  const name = new Uint8Array(NAME_BYTES);
  if (libc.ptsname_r(ours, name, BigInt(name.length)) !== 0) throw terminalUnavailable("its name");
  const commandSide = checkResult("its other side", libc.open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
  const settings = new Uint32Array(TERMIOS_WORDS);
  checkResult("its settings", libc.tcgetattr(commandSide, settings));
  settings.set(settings.subarray(OUTPUT_FLAGS, OUTPUT_FLAGS + 1).map((flags) => flags & ~OPOST), OUTPUT_FLAGS);
  checkResult("its settings", libc.tcsetattr(commandSide, 0, settings));
  const stopped = checkResult("a way to stop", libc.eventfd(0, O_CLOEXEC));
  let lastBytes = 0;
  return {
    commandSide,
    releaseCommandSide: () => void libc.close(commandSide),
    async read() {
      const events = new Int32Array([ours, POLLIN, stopped, POLLIN]);
      await libc.poll(events, 2n, -1);
      const [, ofOurs = 0, , ofStopped = 0] = events;
      if (!hasEvents(ofOurs) || lastBytes >= LAST_BYTES) return undefined;
      const bytes = new Uint8Array(READ_BYTES);
      const count = Number(libc.read(ours, bytes, BigInt(bytes.length)));
      if (hasEvents(ofStopped)) lastBytes += count;
      return count > 0 ? bytes.subarray(0, count) : undefined;
    },
    write(bytes) {
      for (let done = 0; done < bytes.length;) {
        const count = Number(libc.write(ours, bytes.subarray(done), BigInt(bytes.length - done)));
        if (count <= 0) return; // All processes have closed the command's side.
        done += count;
      }
    },
    resize: ({ columns, rows }) => void libc.ioctl(ours, TIOCSWINSZ, new Uint16Array([rows, columns, 0, 0])),
    stop: () => void libc.write(stopped, new BigUint64Array([1n]), 8n),
  };
}

/**
 * Reports whether an event occurred. The word holds the fields `events` (lower half) and `revents` (upper half) of
 * `struct pollfd`.
 */
function hasEvents(word: number): boolean {
  return word >>> 16 !== 0;
}

function checkResult(operation: string, answer: number): number {
  if (answer < 0) throw terminalUnavailable(operation);
  return answer;
}

function terminalUnavailable(operation: string): ExecutorError {
  return new ExecutorError(`failed to give the command a terminal: the kernel refused ${operation}`);
}
