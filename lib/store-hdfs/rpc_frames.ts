/** Frames of Hadoop's RPC: a size, a header, and the message of a call or response. */
import { StoreError, type StoreErrorKind } from "@tiphys/model/artifact";
import { Message, message, prefixFourByteLength, prefixVarintLength, Reader, zigzag } from "./rpc_messages.ts";
import type { Wire } from "./wire.ts";
import { joinedBytes } from "@tiphys/base/joined_bytes";

/** The message encoding, and the only operation. */
const PROTOCOL_BUFFERS = 2;
const FINAL_PACKET = 0;

const SUCCESS = 0;
const UNAUTHORIZED = 15;

/**
 * Maximum size of a response, half of the maximum of name nodes: the blocks of a file of ten terabytes fit, at about
 * 700 bytes per block of 128 MiB (folders are paged). A response is held in memory as a whole, so a greater limit could
 * exhaust a small pod.
 */
const MAX_ANSWER_BYTES = 64 << 20;

/** Identifies a call: its number, the client, and the number of earlier attempts. */
export interface CallId {
  readonly id: number;
  readonly client: Uint8Array;
  readonly tries: number;
}

/** Encodes a call: its header and messages. */
export function encodeCall({ id, client, tries }: CallId, messages: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const header = message([
    [1, PROTOCOL_BUFFERS],
    [2, FINAL_PACKET],
    [3, zigzag(id)],
    [4, client],
    [5, zigzag(id < 0 ? -1 : tries)],
  ]);
  return prefixFourByteLength(joinedBytes([header, ...messages].map(prefixVarintLength)));
}

/**
 * Reads the response to a call.
 * @throws {NameNodeError} when the name node responds with a failure.
 */
export async function readAnswer(
  wire: Wire,
  { id, what }: { readonly id: number; readonly what: string },
): Promise<Message> {
  const bytes = await wire.readCounted(MAX_ANSWER_BYTES);
  return wire.parseOrFail(() => {
    const reader = new Reader(bytes);
    const header = new Message(reader.take(Number(reader.varint())));
    if (header.number(2) !== SUCCESS) throw toNameNodeError(what, header);
    // The number may belong to an unanswered call of a closed connection.
    if (header.number(1) !== id >>> 0) throw wire.protocolError("it answers another call");
    return new Message(reader.isOver ? new Uint8Array() : reader.take(Number(reader.varint())));
  });
}

/** A failure returned by a name node. */
export class NameNodeError extends StoreError {
  /** @param exception the name of its Java class, without the package. */
  constructor(message: string, kind: StoreErrorKind, readonly exception: string) {
    super(message, kind);
  }
}

function toNameNodeError(operation: string, header: Message): NameNodeError {
  const exception = header.text(4)?.split(".").at(-1) ?? "unknown error";
  const text = `${operation} failed: ${exception}: ${header.text(5)?.split("\n")[0] ?? "no reason given"}`;
  if (header.number(6) === UNAUTHORIZED) {
    const hint = exception === "SaslException"
      ? "is krbServicePrincipalName the name node's own?"
      : "a cluster with Kerberos needs krbKeytabSecret or krbCCacheSecret";
    return new NameNodeError(`${text} (${hint})`, "forbidden", exception);
  }
  return new NameNodeError(text, KINDS.get(exception) ?? "final", exception);
}

const KINDS: ReadonlyMap<string, StoreErrorKind> = new Map([
  ["AccessControlException", "forbidden"],
  ["FileNotFoundException", "missing"],
  ["NotReplicatedYetException", "transient"],
  ["ObserverRetryOnActiveException", "transient"],
  ["RetriableException", "transient"],
  ["SafeModeException", "transient"],
  ["StandbyException", "transient"],
]);
