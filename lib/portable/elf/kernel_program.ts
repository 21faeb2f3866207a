/**
 * Programs that consist of a list of system calls. They are generated for one purpose, have no dependencies, and read
 * no input. The result of a call can be an argument of later ones. If a call fails that must succeed, the program
 * reports which one, and exits.
 */
import type { CallName, MachineArgument, Processor, Slot, SlotAddress } from "./processor.ts";
import { SLOTS } from "./processor.ts";
import { processorFor } from "./processors.ts";
import { fourBytes, type Piece, staticProgram, zeroTerminated } from "./static_program.ts";

/** A piece of data. Its address can be an argument. */
export interface Address {
  readonly piece: number;
}

/** An argument of a call: 32 bits or an address. */
export type Argument = number | Address | Slot | SlotAddress;

/** An eight-byte word of a kernel structure. */
export type Word = number | Address;

/** A report of a program: its kind, and two numbers. */
export interface ProgramReport {
  readonly kind: number;
  readonly first: number;
  readonly second: number;
}

/**
 * The kind of a report about a failed call: the index of its description in {@link KernelProgram.steps}, and the error
 * number.
 */
export const FAILED = 1;

/** The maximum number of calls, so that a program can always be generated. A container needs some hundred calls. */
export const MAX_CALLS = 100_000;
export const MAX_DATA_BYTES = 16 * 1024 * 1024;

/** An error because a program would exceed {@link MAX_CALLS} or {@link MAX_DATA_BYTES}. */
export class ProgramTooLarge extends Error {
  override readonly name = "ProgramTooLarge";

  constructor(limit: string) {
    super(
      `creating a container is limited to ${limit}, and this one needs more: it has too many or too long paths`,
    );
  }
}

const TOLD_BYTES = 12;
/** The exit code of shells for a command that could not be started. */
const NOT_STARTED = 127;
const SIGCHLD = 17;

type Operation =
  | {
    readonly kind: "call";
    readonly name: CallName | number;
    readonly args: readonly Argument[];
    readonly step?: number;
  }
  | { readonly kind: "keep"; readonly slot: Slot }
  | { readonly kind: "set"; readonly slot: Slot; readonly value: number }
  | { readonly kind: "mark"; readonly slot: Slot }
  | { readonly kind: "when"; readonly isEqual: boolean; readonly value: number; readonly then: readonly Operation[] }
  | { readonly kind: "exitAs"; readonly status: Slot };

/** Builds a program, call by call. */
export class KernelProgram {
  /** The description of each call that must succeed. */
  readonly steps: string[] = [];
  readonly #data: Piece[] = [];
  readonly #texts = new Map<string, Address>();
  #operations: Operation[] = [];
  #slots = 0;
  #bytes = 0;
  #calls = 0;
  /** A descriptor, and the three slots of a report. */
  readonly #report = this.slot();
  readonly #reportSlots = [this.slot(), this.slot(), this.slot()] as const;

  /**
   * Allocates a slot.
   * @throws if there are no more: {@link SLOTS}.
   */
  slot(): Slot {
    if (this.#slots === SLOTS) throw new Error(`A program has ${SLOTS} slots only`);
    return { slot: this.#slots++ };
  }

  /**
   * A zero-terminated text.
   * @throws for a text that contains a zero, where the kernel would end it. The error does not quote it, because it may
   * be a secret.
   */
  text(text: string): Address {
    if (text.includes("\0")) throw new Error("Expected a text without NUL");
    const known = this.#texts.get(text);
    if (known) return known;
    const address = this.bytes(zeroTerminated(text));
    this.#texts.set(text, address);
    return address;
  }

  /** @throws {ProgramTooLarge}. */
  bytes(bytes: Uint8Array): Address {
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_DATA_BYTES) throw new ProgramTooLarge(`${MAX_DATA_BYTES} bytes of data`);
    return { piece: this.#data.push(bytes) - 1 };
  }

  /** An array of four-byte numbers. */
  numbers(numbers: readonly number[]): Address {
    return this.bytes(new Uint8Array(numbers.flatMap(fourBytes)));
  }

  /** A kernel structure. */
  words(words: readonly Word[]): Address {
    const placed = words.map((word) => typeof word === "number" ? word : { addressOf: word.piece });
    return { piece: this.#data.push({ words: placed }) - 1 };
  }

  /** A null-terminated list of texts. */
  list(texts: readonly string[]): Address {
    return this.words([...texts.map((text) => this.text(text)), 0]);
  }

  /** A call that must succeed; `subject` describes it, such as "mount /proc". */
  must(subject: string, name: CallName | number, ...args: readonly Argument[]): this {
    if (++this.#calls > MAX_CALLS) throw new ProgramTooLarge(`${MAX_CALLS} calls`);
    const step = this.steps.push(`${subject}: ${name}`) - 1;
    this.#operations.push({ kind: "call", name, args, step });
    return this;
  }

  /** A call that may fail. */
  attempt(name: CallName | number, ...args: readonly Argument[]): this {
    if (++this.#calls > MAX_CALLS) throw new ProgramTooLarge(`${MAX_CALLS} calls`);
    this.#operations.push({ kind: "call", name, args });
    return this;
  }

  /** Stores the result of the last call. */
  keep(slot: Slot): this {
    this.#operations.push({ kind: "keep", slot });
    return this;
  }

  /** Stores a number in a slot. */
  set(slot: Slot, value: number): this {
    this.#operations.push({ kind: "set", slot, value });
    return this;
  }

  /** Adds calls that are made if the last result is this value. */
  when(value: number, then: () => void): this {
    return this.#branch(true, value, then);
  }

  /** Adds calls that are made if the last result is any other value. */
  unless(value: number, then: () => void): this {
    return this.#branch(false, value, then);
  }

  /**
   * Forks. The child process runs the calls that `act` adds, the parent the following ones. The last result is the
   * child's process ID.
   */
  fork(subject: string, act: () => void): this {
    return this.must(subject, "clone", SIGCHLD, 0, 0, 0, 0).when(0, () => {
      act();
      this.exit(NOT_STARTED);
    });
  }

  /** Reports are written to this descriptor from here on. */
  reportTo(descriptor: number): this {
    this.#operations.push({ kind: "set", slot: this.#report, value: descriptor });
    return this;
  }

  /** Writes a report. `first` is its first number; `answer` stands for the result of the last call. */
  report(kind: number, first: number | "answer" = 0): this {
    const [kindAt, firstAt] = this.#reportSlots;
    this.#operations.push(
      first === "answer" ? { kind: "keep", slot: firstAt } : { kind: "set", slot: firstAt, value: first },
      { kind: "set", slot: kindAt, value: kind },
    );
    return this.attempt("write", this.#report, { addressOf: kindAt }, TOLD_BYTES);
  }

  exit(code: number): this {
    return this.attempt("exit", code);
  }

  /** Exits like the process whose status `wait4` stored in a slot, with the exit code that a shell would return. */
  exitAs(status: Slot): this {
    this.#operations.push({ kind: "exitAs", status });
    return this;
  }

  /** Returns the program as a static ELF file for Linux, for this processor or another. */
  file(arch?: string): Uint8Array<ArrayBuffer> {
    const processor = processorFor(arch);
    return staticProgram(processor.machine, this.#data, (addresses) => {
      const failed = this.#recorded(() => {
        const [kindAt, firstAt, secondAt] = this.#reportSlots;
        this.keep(secondAt);
        this.#operations.push({ kind: "mark", slot: firstAt }, { kind: "set", slot: kindAt, value: FAILED });
        this.attempt("write", this.#report, { addressOf: kindAt }, TOLD_BYTES).exit(NOT_STARTED);
      });
      const code = codeOf(processor, this.#operations, addresses, 0);
      return [...code, ...codeOf(processor, failed, addresses, 0)];
    });
  }

  #branch(isEqual: boolean, value: number, then: () => void): this {
    this.#operations.push({ kind: "when", isEqual, value, then: this.#recorded(then) });
    return this;
  }

  #recorded(act: () => void): Operation[] {
    const outer = this.#operations;
    this.#operations = [];
    act();
    const inner = this.#operations;
    this.#operations = outer;
    return inner;
  }
}

/** Parses the reports of a program. */
export function readReports(bytes: Uint8Array): ProgramReport[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reports: ProgramReport[] = [];
  for (let offset = 0; offset + TOLD_BYTES <= bytes.length; offset += TOLD_BYTES) {
    const number = (index: number) => view.getInt32(offset + 4 * index, true);
    reports.push({ kind: number(0), first: number(1), second: number(2) });
  }
  return reports;
}

/** Returns the code of operations, which is followed by `after` bytes and the code for failed calls. */
function codeOf(
  processor: Processor,
  operations: readonly Operation[],
  addresses: readonly number[],
  after: number,
): number[] {
  const placed = (arg: Argument): MachineArgument =>
    typeof arg === "object" && "piece" in arg ? addresses[arg.piece]! : arg;
  // Code is generated from the end, because the length of skipped code must be known.
  const parts: number[][] = [];
  let bytes = after;
  for (const operation of operations.toReversed()) {
    const part = ((): number[] => {
      switch (operation.kind) {
        case "call": {
          const { name, args, step } = operation;
          const call = processor.call(name, args.map(placed));
          return step === undefined ? call : [...processor.mark(step), ...call, ...processor.skipUnlessDone(bytes)];
        }
        case "keep":
          return processor.keep(operation.slot);
        case "set":
          return processor.set(operation.slot, operation.value);
        case "mark":
          return processor.keepMark(operation.slot);
        case "when": {
          const then = codeOf(processor, operation.then, addresses, bytes);
          return [...processor.skipWhen(!operation.isEqual, operation.value, then.length), ...then];
        }
        case "exitAs":
          return processor.exitAs(operation.status);
      }
    })();
    parts.push(part);
    bytes += part.length;
  }
  return parts.toReversed().flat();
}
