/**
 * Programs that are a list of calls of the kernel: made for one occasion, in need of nothing, and with no input that could
 * turn them into something else. What a call answers can be an argument of later ones; a call that must succeed and does not
 * ends the program, which tells first which one it was.
 */
import type { CallName, MachineArgument, Processor, Slot, SlotAddress } from "./processor.ts";
import { SLOTS } from "./processor.ts";
import { processorFor } from "./processors.ts";
import { fourBytes, type Piece, staticProgram, zeroEnded } from "./static_program.ts";

/** A piece of data, whose address is an argument. */
export interface Address {
  readonly piece: number;
}

/** An argument of a call: 32 bits or an address. */
export type Argument = number | Address | Slot | SlotAddress;

/** A word of a structure of the kernel: eight bytes. */
export type Word = number | Address;

/** One thing that a program told: what, and two numbers that say more. */
export interface Told {
  readonly kind: number;
  readonly first: number;
  readonly second: number;
}

/** Told of a call that failed: the place of its description in {@link KernelProgram.steps}, and the kernel's error number. */
export const FAILED = 1;

/** A program is no larger, so that one can always be made: a container needs some hundred calls. */
export const MOST_CALLS = 100_000;
export const MOST_DATA_BYTES = 16 * 1024 * 1024;

/** A program that would take more than {@link MOST_CALLS} or {@link MOST_DATA_BYTES}. */
export class ProgramTooLarge extends Error {
  override readonly name = "ProgramTooLarge";

  constructor(limit: string) {
    super(
      `a container is put together with at most ${limit}, and this one takes more: it has too many or too long paths`,
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

/** Puts a program together, call by call. */
export class KernelProgram {
  /** The purpose of each call that must succeed. */
  readonly steps: string[] = [];
  readonly #data: Piece[] = [];
  readonly #texts = new Map<string, Address>();
  #operations: Operation[] = [];
  #slots = 0;
  #bytes = 0;
  #calls = 0;
  /** A descriptor, and the three slots of what is told. */
  readonly #report = this.slot();
  readonly #told = [this.slot(), this.slot(), this.slot()] as const;

  /**
   * One more slot.
   * @throws when there are no more: {@link SLOTS}.
   */
  slot(): Slot {
    if (this.#slots === SLOTS) throw new Error(`A program has ${SLOTS} slots only`);
    return { slot: this.#slots++ };
  }

  /**
   * A text as data, zero at its end.
   * @throws for one with a zero in it, which the kernel would take for its end: it may be a secret.
   */
  text(text: string): Address {
    if (text.includes("\0")) throw new Error("Expected a text without NUL, got one with it");
    const known = this.#texts.get(text);
    if (known) return known;
    const address = this.bytes(zeroEnded(text));
    this.#texts.set(text, address);
    return address;
  }

  /** @throws {ProgramTooLarge}. */
  bytes(bytes: Uint8Array): Address {
    this.#bytes += bytes.length;
    if (this.#bytes > MOST_DATA_BYTES) throw new ProgramTooLarge(`${MOST_DATA_BYTES} bytes of data`);
    return { piece: this.#data.push(bytes) - 1 };
  }

  /** Numbers of four bytes each. */
  numbers(numbers: readonly number[]): Address {
    return this.bytes(new Uint8Array(numbers.flatMap(fourBytes)));
  }

  /** A structure of the kernel. */
  words(words: readonly Word[]): Address {
    const placed = words.map((word) => typeof word === "number" ? word : { addressOf: word.piece });
    return { piece: this.#data.push({ words: placed }) - 1 };
  }

  /** Texts as the kernel takes a list of them. */
  list(texts: readonly string[]): Address {
    return this.words([...texts.map((text) => this.text(text)), 0]);
  }

  /** A call that must succeed; `what` says what it is for, as "mount /proc". */
  must(what: string, name: CallName | number, ...args: readonly Argument[]): this {
    if (++this.#calls > MOST_CALLS) throw new ProgramTooLarge(`${MOST_CALLS} calls`);
    const step = this.steps.push(`${what}: ${name}`) - 1;
    this.#operations.push({ kind: "call", name, args, step });
    return this;
  }

  /** A call that may fail. */
  attempt(name: CallName | number, ...args: readonly Argument[]): this {
    if (++this.#calls > MOST_CALLS) throw new ProgramTooLarge(`${MOST_CALLS} calls`);
    this.#operations.push({ kind: "call", name, args });
    return this;
  }

  /** Keeps what the last call answered. */
  keep(slot: Slot): this {
    this.#operations.push({ kind: "keep", slot });
    return this;
  }

  /** Puts a number into a slot. */
  set(slot: Slot, value: number): this {
    this.#operations.push({ kind: "set", slot, value });
    return this;
  }

  /** Adds calls that are made when the last one answered this value. */
  when(value: number, then: () => void): this {
    return this.#branch(true, value, then);
  }

  /** Adds calls that are made when the last one answered anything else. */
  unless(value: number, then: () => void): this {
    return this.#branch(false, value, then);
  }

  /** Goes on in a second process with what `act` adds, and here with the rest. The number of the new one is the last answer. */
  fork(what: string, act: () => void): this {
    return this.must(what, "clone", SIGCHLD, 0, 0, 0, 0).when(0, () => {
      act();
      this.exit(NOT_STARTED);
    });
  }

  /** From here on, what is told is written to this descriptor. */
  reportTo(descriptor: number): this {
    this.#operations.push({ kind: "set", slot: this.#report, value: descriptor });
    return this;
  }

  /** Tells something; the first number may be the last answer. */
  tell(kind: number, first: number | "answer" = 0): this {
    const [kindAt, firstAt] = this.#told;
    this.#operations.push(
      first === "answer" ? { kind: "keep", slot: firstAt } : { kind: "set", slot: firstAt, value: first },
      { kind: "set", slot: kindAt, value: kind },
    );
    return this.attempt("write", this.#report, { addressOf: kindAt }, TOLD_BYTES);
  }

  exit(code: number): this {
    return this.attempt("exit", code);
  }

  /** Ends as the process did whose status `wait4` left in a slot, with the exit code that a shell would tell of it. */
  exitAs(status: Slot): this {
    this.#operations.push({ kind: "exitAs", status });
    return this;
  }

  /** The program as a static ELF file for Linux, of this machine's kind or another. */
  file(arch?: string): Uint8Array<ArrayBuffer> {
    const processor = processorFor(arch);
    return staticProgram(processor.machine, this.#data, (addresses) => {
      const failed = this.#recorded(() => {
        const [kindAt, firstAt, secondAt] = this.#told;
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

/** Reads what a program told so far. */
export function readTold(bytes: Uint8Array): Told[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const told: Told[] = [];
  for (let at = 0; at + TOLD_BYTES <= bytes.length; at += TOLD_BYTES) {
    const number = (index: number) => view.getInt32(at + 4 * index, true);
    told.push({ kind: number(0), first: number(1), second: number(2) });
  }
  return told;
}

/** The code of operations with `after` bytes between them and what is done when a call fails that must not. */
function codeOf(
  processor: Processor,
  operations: readonly Operation[],
  addresses: readonly number[],
  after: number,
): number[] {
  const placed = (arg: Argument): MachineArgument =>
    typeof arg === "object" && "piece" in arg ? addresses[arg.piece]! : arg;
  // Code is made from the end: the length of the code to leave out must be known.
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
