/** Calls of a name node over Hadoop's RPC (version 9, without SASL): of several, the one that is active. */
import { StoreError, type StoreErrorKind } from "../driver.ts";
import { delimited, type Fields, Message, message, Reader, zigzag } from "./rpc_messages.ts";
import { type Node, Wire } from "./wire.ts";
import { joinedBytes } from "../../joined_bytes.ts";

const PROTOCOL = "org.apache.hadoop.hdfs.protocol.ClientProtocol";

/** `hrpc`, the version of the protocol, the class of service, and no authentication. */
const GREETING = new Uint8Array([0x68, 0x72, 0x70, 0x63, 9, 0, 0]);

/** The id of the call that says who is calling. */
const CONTEXT_CALL = -3;

/** The kind of messages, and the only operation there is. */
const PROTOCOL_BUFFERS = 2;
const FINAL_PACKET = 0;

const SUCCESS = 0;
const UNAUTHORIZED = 15;

/**
 * The longest answer, half of what name nodes send at most: the blocks of a file of ten terabytes fit, at some 700 bytes
 * for each block of 128 MiB (folders come in pages). An answer is held as a whole, so more of it could fill a small pod.
 */
const MAX_ANSWER_BYTES = 64 << 20;

/** The name nodes of a cluster, and the user that they are told. */
export interface NameNodes {
  readonly nodes: readonly Node[];
  readonly user: string;
}

/** Calls the name node. One call is under way at a time. */
export class NameNodeClient implements Disposable {
  readonly #nodes: readonly Node[];
  readonly #user: string;
  /** The name node knows a call that is sent again by these: it answers as it did before. */
  readonly #id = crypto.getRandomValues(new Uint8Array(16));
  #active = 0;
  #calls = 0;
  #wire: Wire | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ nodes, user }: NameNodes) {
    this.#nodes = nodes;
    this.#user = user;
  }

  /** Calls a method; resolves to its answer. */
  call(method: string, fields: Fields, stop: AbortSignal): Promise<Message> {
    const mine = this.#turn.then(() => this.#callActive(method, fields, stop));
    this.#turn = mine.catch(() => {});
    return mine;
  }

  [Symbol.dispose](): void {
    this.#wire?.[Symbol.dispose]();
  }

  async #callActive(method: string, fields: Fields, stop: AbortSignal): Promise<Message> {
    const id = this.#calls++;
    let last: unknown;
    // A connection that was kept may have been closed meanwhile: one more try finds out.
    for (let tries = 0; tries <= this.#nodes.length; tries++) {
      try {
        return await this.#callOnce({ method, fields, id, tries }, stop);
      } catch (error) {
        stop.throwIfAborted();
        const isAnswer = error instanceof NameNodeError;
        if (!(isAnswer ? ASK_ANOTHER.has(error.exception) : isBroken(error))) throw error;
        const wasKept = tries === 0 && this.#calls > 1 && !isAnswer;
        // A name node that stands by, or does not answer: another one may be the active one.
        if (!wasKept) {
          this.#wire?.[Symbol.dispose]();
          this.#active = (this.#active + 1) % this.#nodes.length;
        }
        last = error;
      }
    }
    throw last;
  }

  async #callOnce({ method, fields, id, tries }: Call, stop: AbortSignal): Promise<Message> {
    const wire = this.#wire?.isOpen ? this.#wire : await this.#connect(stop);
    using _ = wire.cutBy(stop);
    const header = message([[1, method], [2, PROTOCOL], [3, 1]]);
    await wire.write(framed([this.#header(id, tries), header, message(fields)]));
    const size = new DataView((await wire.read(4)).buffer).getUint32(0);
    const answer = await wire.read(wire.checked(size, MAX_ANSWER_BYTES));
    return wire.parsed(() => this.#answerOf(answer, { method, wire, id }));
  }

  #answerOf(bytes: Uint8Array, { method, wire, id }: { method: string; wire: Wire; id: number }): Message {
    const reader = new Reader(bytes);
    const header = new Message(reader.take(Number(reader.varint())));
    if (header.number(2) === SUCCESS) {
      // The number of a call may be one that went without an answer before, of a connection that was ended since.
      if (header.number(1) !== id) throw wire.wrong("it answers another call");
      return new Message(reader.isOver ? new Uint8Array() : reader.take(Number(reader.varint())));
    }
    throw failure(`hdfs: ${method}`, header);
  }

  async #connect(stop: AbortSignal): Promise<Wire> {
    this.#wire?.[Symbol.dispose]();
    const wire = await Wire.open(this.#nodes[this.#active]!, "hdfs: the name node", stop);
    this.#wire = wire;
    using _ = wire.cutBy(stop);
    const context = message([[2, message([[1, this.#user]])], [3, PROTOCOL]]);
    await wire.write(joinedBytes([GREETING, framed([this.#header(CONTEXT_CALL, 0), context])]));
    return wire;
  }

  #header(id: number, tries: number): Uint8Array {
    return message([
      [1, PROTOCOL_BUFFERS],
      [2, FINAL_PACKET],
      [3, zigzag(id)],
      [4, this.#id],
      [5, zigzag(id < 0 ? -1 : tries)],
    ]);
  }
}

interface Call {
  readonly method: string;
  readonly fields: Fields;
  readonly id: number;
  readonly tries: number;
}

/** A failure that a name node answered with. */
export class NameNodeError extends StoreError {
  /** `exception`: the name of its class in Java, without the package. */
  constructor(message: string, kind: StoreErrorKind, readonly exception: string) {
    super(message, kind);
  }
}

/** What a name node answers that is not the active one; every other exception is the cluster's own answer. */
const ASK_ANOTHER: ReadonlySet<string> = new Set(["StandbyException", "ObserverRetryOnActiveException"]);

/** Whether a connection failed, or could not be made. */
function isBroken(error: unknown): boolean {
  return error instanceof StoreError && error.kind === "transient";
}

function framed(messages: readonly Uint8Array[]): Uint8Array {
  const body = joinedBytes(messages.map(delimited));
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, body.length);
  return joinedBytes([size, body]);
}

function failure(what: string, header: Message): NameNodeError {
  const exception = header.text(4)?.split(".").at(-1) ?? "unknown error";
  const text = `${what} failed: ${exception}: ${header.text(5)?.split("\n")[0] ?? "no reason given"}`;
  if (header.number(6) === UNAUTHORIZED) {
    return new NameNodeError(`${text} (a cluster with Kerberos needs an artifact plugin)`, "forbidden", exception);
  }
  return new NameNodeError(text, KINDS[exception] ?? "final", exception);
}

const KINDS: Readonly<Record<string, StoreErrorKind>> = {
  AccessControlException: "forbidden",
  FileNotFoundException: "missing",
  NotReplicatedYetException: "transient",
  ObserverRetryOnActiveException: "transient",
  RetriableException: "transient",
  SafeModeException: "transient",
  StandbyException: "transient",
};
