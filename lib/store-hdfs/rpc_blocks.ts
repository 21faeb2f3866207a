/** Transfers blocks of files with data nodes: packets of bytes, with checksums for every few hundred bytes. */
import { type AddressPolicy, type Bytes, chunksOf, type Source } from "@tiphys/base/net";
import { StoreError } from "@tiphys/model/artifact";
import { crc32c } from "@tiphys/artifacts/crc32";
import type { Node } from "./node.ts";
import { type FieldValue, Message, message, prefixVarintLength } from "./rpc_messages.ts";
import { Wire } from "./wire.ts";
import { joinedBytes } from "@tiphys/base/joined_bytes";

/** The protocol version, and the operations. */
const VERSION = [0, 28];
const WRITE_BLOCK = 80;
const READ_BLOCK = 81;

/** The pipeline stage of a new block. */
const PIPELINE_SETUP_CREATE = 6;

/** Checksum types. */
const SUM = { none: 0, crc32: 1, crc32c: 2 };
const SUM_BYTES = 4;

/** Number of bytes per checksum, and per packet, in writes. */
const BYTES_PER_SUM = 512;
const PACKET_BYTES = 64 * 1024;
/** Maximum number of unacknowledged packets. */
const UNACKNOWLEDGED = 16;

/** Maximum size of a packet, and of other messages, from a data node. */
const MAX_PACKET_BYTES = 16 << 20;
const MAX_MESSAGE_BYTES = 1 << 20;

const STATUS = { success: 0, accessToken: 5, checksumOk: 6, inProgress: 12 };

/** A block of a file. Parts that are passed on are kept as encoded by the name node. */
export interface Block {
  readonly id: Uint8Array;
  /** Offset of the block in the file, and its size. */
  readonly offset: number;
  readonly size: number;
  readonly token: Uint8Array;
  readonly places: readonly Place[];
}

/** A data node that has a block, or will store it. */
export interface Place {
  readonly node: Node;
  /** Its name, for cases in which its address belongs to another network. */
  readonly name: string;
  readonly words: Uint8Array;
}

/** Parses the `LocatedBlockProto` of a name node. */
export function blockOf(located: Message): Block {
  const id = located.bytes(1) ?? new Uint8Array();
  return {
    id,
    offset: located.number(2) ?? 0,
    size: new Message(id).number(4) ?? 0,
    token: located.bytes(5) ?? new Uint8Array(),
    places: located.allBytes(3).map((words) => {
      const node = new Message(words).message(1);
      const port = node?.number(4) ?? 0;
      return { node: { hostname: node?.text(1) ?? "", port }, name: node?.text(2) ?? "", words };
    }),
  };
}

/** Returns the ID of a block with its current size. */
export function idWithSize(id: Uint8Array, size: number): Uint8Array {
  const was = new Message(id);
  return message([[1, was.text(1)], [2, was.number(2)], [3, was.number(3)], [4, size]]);
}

/** Protects a connection to a data node for the transfer of a block. */
export type Protect = (wire: Wire, block: Block, location: Place) => Promise<Wire>;

/** The client's name, and the protection of connections to data nodes, if required. */
export interface BlockClient {
  readonly client: string;
  readonly protect: Protect | undefined;
  readonly reach?: AddressPolicy | undefined;
}

async function connect(
  location: Place,
  block: Block,
  { protect, reach }: BlockClient,
  stop: AbortSignal,
): Promise<Wire> {
  const wire = await connectNode(location, stop, reach);
  if (!protect) return wire;
  using _ = wire.closeOnAbort(stop);
  try {
    return await protect(wire, block, location);
  } catch (error) {
    wire[Symbol.dispose]();
    throw error;
  }
}

async function connectNode({ node, name }: Place, stop: AbortSignal, reach: AddressPolicy | undefined): Promise<Wire> {
  try {
    return await Wire.open(node, "hdfs: the data node", stop, reach);
  } catch (error) {
    stop.throwIfAborted();
    if (name === "" || name === node.hostname) throw error;
    return await Wire.open({ ...node, hostname: name }, "hdfs: the data node", stop, reach);
  }
}

function encodeHeader({ id, token }: Block, client: string): Uint8Array {
  return message([[1, message([[1, id], [2, token]])], [2, client]]);
}

function encodeOperation(code: number, body: Uint8Array): Uint8Array {
  return joinedBytes([new Uint8Array([...VERSION, code]), prefixVarintLength(body)]);
}

async function readResponse(wire: Wire): Promise<Message> {
  const bytes = await wire.readDelimited(MAX_MESSAGE_BYTES);
  const answer = wire.parseOrFail(() => new Message(bytes));
  const status = answer.number(1);
  if (status === STATUS.success) return answer;
  wire[Symbol.dispose]();
  const why = status === STATUS.accessToken ? "the block's token is refused" : answer.text(5) ?? `status ${status}`;
  throw new StoreError(`${wire.what} refused: ${why.split("\n")[0]}`, "transient");
}

/** Yields bytes `from` to `to` of a block, from one of the nodes that have it. */
export async function* readBlock(
  block: Block,
  { from, to, asker }: { readonly from: number; readonly to: number; readonly asker: BlockClient },
  stop: AbortSignal,
): AsyncGenerator<Bytes> {
  let offset = from;
  let last: unknown = new StoreError("hdfs: no data node has a block of the file", "transient");
  for (const place of block.places) {
    try {
      for await (const bytes of readFrom(place, block, { from: offset, to, asker }, stop)) {
        offset += bytes.length;
        yield bytes;
      }
      return;
    } catch (error) {
      stop.throwIfAborted();
      // Another node has the same bytes, and continues where this one failed.
      if (!(error instanceof StoreError)) throw error;
      last = error;
    }
  }
  throw last;
}

async function* readFrom(
  location: Place,
  block: Block,
  { from, to, asker }: { readonly from: number; readonly to: number; readonly asker: BlockClient },
  stop: AbortSignal,
): AsyncGenerator<Bytes> {
  using wire = await connect(location, block, asker, stop);
  using _ = wire.closeOnAbort(stop);
  const asked = message([[1, encodeHeader(block, asker.client)], [2, from], [3, to - from], [4, true]]);
  await wire.write(encodeOperation(READ_BLOCK, asked));
  const info = (await readResponse(wire)).message(4);
  const sum = { kind: info?.message(1)?.number(1) ?? SUM.none, bytes: info?.message(1)?.number(2) ?? 0 };
  if (sum.kind !== SUM.none && !(sum.bytes > 0)) throw wire.protocolError("its checksum covers no bytes");
  // The first packet begins at a checksum boundary.
  const start = info?.number(2) ?? 0;
  if (start > from) throw wire.protocolError(`its first checksum is of byte ${start}, byte ${from} was requested`);
  for (let offset = start; offset < to;) {
    const { place, data, sums, isLast } = await packet(wire, sum);
    if (place !== offset) throw wire.protocolError(`a packet begins at byte ${place}, and not at ${offset}`);
    if (data.length === 0 && !isLast) throw wire.protocolError(`a packet is empty, at byte ${offset} of ${to}`);
    await checkResponse(wire, { data, sums, sum });
    const wanted = data.subarray(Math.max(0, Math.min(from - offset, data.length)), Math.max(0, to - offset));
    offset += data.length;
    if (wanted.length > 0) yield wanted;
    if (isLast && offset < to) {
      throw new StoreError(`${wire.what} gave ${offset} of ${to} bytes of a block`, "transient");
    }
  }
  // An error of this notification is irrelevant.
  await wire.write(prefixVarintLength(message([[1, STATUS.checksumOk]]))).catch(() => {});
}

interface Sum {
  readonly kind: number;
  /** Number of bytes per checksum. */
  readonly bytes: number;
}

interface Packet {
  /** The offset of its bytes in the block, according to the node. */
  readonly place: number | undefined;
  readonly data: Bytes;
  readonly sums: Bytes;
  readonly isLast: boolean;
}

async function packet(wire: Wire, sum: Sum): Promise<Packet> {
  const head = new DataView((await wire.read(6)).buffer);
  const rest = wire.checkSize(head.getUint32(0) - 4, MAX_PACKET_BYTES);
  const words = await wire.read(head.getUint16(4));
  const described = wire.parseOrFail(() => new Message(words));
  const size = wire.checkSize(described.number(4) ?? 0, rest);
  const count = sum.kind === SUM.none ? 0 : Math.ceil(size / sum.bytes);
  if (rest !== size + count * SUM_BYTES) throw wire.protocolError("the size of a packet does not match its parts");
  const sums = await wire.read(count * SUM_BYTES);
  return { place: described.number(1), sums, data: await wire.read(size), isLast: described.number(3) === 1 };
}

async function checkResponse(
  wire: Wire,
  { data, sums, sum }: { readonly data: Bytes; readonly sums: Bytes; readonly sum: Sum },
): Promise<void> {
  if (sum.kind === SUM.none) return;
  const make = sum.kind === SUM.crc32c ? crc32c : (await import("node:zlib")).crc32;
  const view = new DataView(sums.buffer, sums.byteOffset);
  for (let offset = 0, index = 0; offset < data.length; offset += sum.bytes, index++) {
    if (make(data.subarray(offset, offset + sum.bytes)) === view.getUint32(index * SUM_BYTES)) continue;
    wire[Symbol.dispose]();
    throw new StoreError(`${wire.what} gave bytes of a block that do not match their checksum`, "transient");
  }
}

/** Writes a block to all its nodes; the first one forwards it to the others. `tick` is called periodically. */
export async function writeBlock(
  block: Block,
  { content, asker, tick }: {
    readonly content: Source;
    readonly asker: BlockClient;
    readonly tick: () => Promise<void>;
  },
  stop: AbortSignal,
): Promise<void> {
  const [first, ...others] = block.places;
  if (!first) throw new StoreError("hdfs: the name node names no data node for a block", "transient");
  using wire = await connect(first, block, asker, stop);
  using _ = wire.closeOnAbort(stop);
  const targets: readonly FieldValue[] = others.map(({ words }) => words);
  const asked = message([
    [1, encodeHeader(block, asker.client)],
    [2, targets],
    [4, PIPELINE_SETUP_CREATE],
    [5, targets.length],
    [6, 0],
    [7, 0],
    [8, 0],
    [9, message([[1, SUM.crc32], [2, BYTES_PER_SUM]])],
  ]);
  await wire.write(encodeOperation(WRITE_BLOCK, asked));
  await readResponse(wire);
  const { crc32 } = await import("node:zlib");
  let [sent, acknowledged] = [0, 0];
  const send = async (data: Uint8Array, offset: number, isLast: boolean) => {
    for (; sent - acknowledged >= UNACKNOWLEDGED; acknowledged++) await acknowledge(wire, acknowledged);
    await wire.write(packetOf(data, { at: offset, number: sent++, isLast, sum: crc32 }));
  };
  let offset = 0;
  for await (const data of packetsOf(content)) {
    await send(data, offset, false);
    offset += data.length;
    await tick();
  }
  if (offset !== content.size) throw new StoreError(`hdfs: received ${offset} of ${content.size} bytes`, "final");
  await send(new Uint8Array(), offset, true);
  for (; acknowledged < sent; acknowledged++) await acknowledge(wire, acknowledged);
}

/** Splits content into packets. Only the last packet may be smaller, so that no checksum block is split. */
async function* packetsOf(content: Source): AsyncGenerator<Uint8Array> {
  const packet = new Uint8Array(PACKET_BYTES);
  let filled = 0;
  for await (const part of chunksOf(content.open(0, content.size), content.size)) {
    for (let offset = 0; offset < part.length;) {
      const taken = part.subarray(offset, offset + PACKET_BYTES - filled);
      packet.set(taken, filled);
      filled += taken.length;
      offset += taken.length;
      if (filled < PACKET_BYTES) continue;
      yield packet;
      filled = 0;
    }
  }
  if (filled > 0) yield packet.subarray(0, filled);
}

function packetOf(
  data: Uint8Array,
  { at, number, isLast, sum }: {
    readonly at: number;
    readonly number: number;
    readonly isLast: boolean;
    readonly sum: (bytes: Uint8Array) => number;
  },
): Uint8Array {
  const head = packetHeader(at, number, isLast, data.length);
  const count = Math.ceil(data.length / BYTES_PER_SUM);
  const all = new Uint8Array(6 + head.length + count * SUM_BYTES + data.length);
  const view = new DataView(all.buffer);
  view.setUint32(0, 4 + count * SUM_BYTES + data.length);
  view.setUint16(4, head.length);
  all.set(head, 6);
  const sums = 6 + head.length;
  for (let index = 0; index < count; index++) {
    const start = index * BYTES_PER_SUM;
    view.setUint32(sums + index * SUM_BYTES, sum(data.subarray(start, start + BYTES_PER_SUM)));
  }
  all.set(data, sums + count * SUM_BYTES);
  return all;
}

/** Encodes the header of a packet, whose numbers have a fixed size. */
function packetHeader(offset: number, number: number, isLast: boolean, size: number): Uint8Array {
  const head = new Uint8Array(25);
  const view = new DataView(head.buffer);
  head[0] = 1 << 3 | 1;
  view.setBigInt64(1, BigInt(offset), true);
  head[9] = 2 << 3 | 1;
  view.setBigInt64(10, BigInt(number), true);
  head[18] = 3 << 3;
  head[19] = Number(isLast);
  head[20] = 4 << 3 | 5;
  view.setInt32(21, size, true);
  return head;
}

/** Waits until all nodes of the pipeline have acknowledged a packet. */
async function acknowledge(wire: Wire, number: number): Promise<void> {
  for (;;) {
    const bytes = await wire.readDelimited(MAX_MESSAGE_BYTES);
    const ack = wire.parseOrFail(() => new Message(bytes));
    const replies = wire.parseOrFail(() => ack.numbers(2));
    const failed = replies.find((status) => status !== STATUS.success && status !== STATUS.inProgress);
    if (failed !== undefined) {
      wire[Symbol.dispose]();
      throw new StoreError(`${wire.what} could not write a block: status ${failed}`, "transient");
    }
    const said = ack.signed(1);
    if (said === number) return;
    // Negative numbers are keep-alives.
    if (said === undefined || said >= 0) throw wire.protocolError(`it acknowledges packet ${said}, and not ${number}`);
  }
}
