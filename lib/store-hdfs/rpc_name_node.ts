/** Calls to the active name node of a cluster over Hadoop's RPC (version 9). */
import type { AddressPolicy } from "@tiphys/base/net";
import { StoreError } from "@tiphys/model/artifact";
import type { Node } from "./node.ts";
import { type CallId, encodeCall, NameNodeError, readAnswer } from "./rpc_frames.ts";
import { type Fields, type Message, message } from "./rpc_messages.ts";
import { Wire } from "./wire.ts";
import { joinedBytes } from "@tiphys/base/joined_bytes";

const PROTOCOL = "org.apache.hadoop.hdfs.protocol.ClientProtocol";

/** `hrpc`, the protocol version, and the service class. The authentication method follows. */
const GREETING = [0x68, 0x72, 0x70, 0x63, 9, 0];

/** Authentication methods: none, or SASL. */
const PROOF = { none: 0, sasl: 0xdf };

/** The ID of the call that names the user. */
const CONTEXT_CALL = -3;

/**
 * Authenticates a new connection to a name node. Returns the connection to use from then on, which seals data if
 * negotiated.
 */
export type Login = (
  wire: Wire,
  at: { readonly node: Node; readonly client: Uint8Array },
  stop: AbortSignal,
) => Promise<Wire>;

/** The name nodes of a cluster, and the user: a name, or a login. */
export interface NameNodes {
  readonly nodes: readonly Node[];
  readonly user: string | Login;
  /** Decides which addresses of nodes may be connected to. All if undefined. */
  readonly reach?: AddressPolicy | undefined;
}

/** Calls the name node, one call at a time. */
export class NameNodeClient implements Disposable {
  readonly #nodes: readonly Node[];
  readonly #user: string | Login;
  readonly #reach: AddressPolicy | undefined;
  /** Identifies this client, so that a repeated call gets the original response. */
  readonly #id = crypto.getRandomValues(new Uint8Array(16));
  #active = 0;
  #calls = 0;
  #wire: Wire | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ nodes, user, reach }: NameNodes) {
    this.#reach = reach;
    this.#nodes = nodes;
    this.#user = user;
  }

  /** Calls a method. Resolves to its response. */
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
    // A cached connection may have been closed meanwhile, so one more attempt is made.
    for (let tries = 0; tries <= this.#nodes.length; tries++) {
      try {
        return await this.#callOnce({ method, fields, id, tries }, stop);
      } catch (error) {
        stop.throwIfAborted();
        const isAnswer = error instanceof NameNodeError;
        if (!(isAnswer ? ASK_ANOTHER.has(error.exception) : isBroken(error))) throw error;
        const wasKept = tries === 0 && this.#calls > 1 && !isAnswer;
        // The name node is a standby or does not respond, so another one may be active.
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
    using _ = wire.closeOnAbort(stop);
    const header = message([[1, method], [2, PROTOCOL], [3, 1]]);
    await wire.write(encodeCall(this.#callId(id, tries), [header, message(fields)]));
    return await readAnswer(wire, { id, what: `hdfs: ${method}` });
  }

  async #connect(stop: AbortSignal): Promise<Wire> {
    this.#wire?.[Symbol.dispose]();
    const node = this.#nodes[this.#active]!;
    const wire = await Wire.open(node, "hdfs: the name node", stop, this.#reach);
    this.#wire = wire;
    using _ = wire.closeOnAbort(stop);
    const user = this.#user;
    if (typeof user === "string") {
      await wire.write(joinedBytes([Uint8Array.of(...GREETING, PROOF.none), this.#context(user)]));
      return wire;
    }
    try {
      await wire.write(Uint8Array.of(...GREETING, PROOF.sasl));
      this.#wire = await user(wire, { node, client: this.#id }, stop);
      await this.#wire.write(this.#context(undefined));
      return this.#wire;
    } catch (error) {
      wire[Symbol.dispose]();
      throw error;
    }
  }

  /** Encodes the call that names the protocol and, without authentication, the user. */
  #context(user: string | undefined): Uint8Array {
    const told = user === undefined ? undefined : message([[1, user]]);
    return encodeCall(this.#callId(CONTEXT_CALL, 0), [message([[2, told], [3, PROTOCOL]])]);
  }

  #callId(id: number, tries: number): CallId {
    return { id, client: this.#id, tries };
  }
}

interface Call {
  readonly method: string;
  readonly fields: Fields;
  readonly id: number;
  readonly tries: number;
}

/** Exceptions of a name node that is not active. All other exceptions are the cluster's response. */
const ASK_ANOTHER: ReadonlySet<string> = new Set(["StandbyException", "ObserverRetryOnActiveException"]);

/** Whether a connection failed, or could not be opened. */
function isBroken(error: unknown): boolean {
  return error instanceof StoreError && error.kind === "transient";
}
