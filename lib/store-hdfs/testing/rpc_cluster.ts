/** A fake name node and two data nodes with Hadoop's RPC: files in memory. */
import { crc32c } from "@tiphys/artifacts/crc32";
import { type Fields, Message, message, prefixVarintLength, Reader } from "../rpc_messages.ts";
import { joinedBytes } from "@tiphys/base/joined_bytes";

/** Faults of a data transfer. For reads only: wrong checksum or packet offsets. */
type TransferFault = "cut" | "flip" | "refuse" | "ahead" | "astray" | "empty";

/**
 * Faults of a call. `early`: the previous block is not registered yet. `incomplete`: the file has too few replicas.
 * `safe`: the name node is read-only. `zone` and `coded`: the file is encrypted, or erasure-coded.
 */
type CallFault = "early" | "incomplete" | "safe" | "zone" | "coded";

/** The next fault. */
export type RpcFault = TransferFault | CallFault;

/** The fake cluster. Disposing of it stops it. */
export interface RpcCluster extends AsyncDisposable {
  readonly port: number;
  /** Folders are keys without content. */
  readonly entries: Map<string, { bytes?: Uint8Array<ArrayBuffer>; readonly time: number }>;
  /** The called methods, and the users of calls. */
  readonly calls: string[];
  readonly users: Set<string>;
  /** A queue of faults. Each applies to the next matching transfer or call. */
  readonly harms: RpcFault[];
  /** Responds as a standby. */
  isStandby: boolean;
  /** Closes all connections of name nodes, so that clients reconnect. */
  drop(): void;
}

/** Small, so that files have several blocks. */
const BLOCK_BYTES = 256 * 1024;
const BYTES_PER_SUM = 512;
const READ_PACKET = 64 * 1024;

const READ_HARMS = ["cut", "flip", "refuse", "ahead", "astray", "empty"] as const;

/** An incoming connection, or the result of a login on one. */
export class Incoming {
  #remainder = new Uint8Array();

  /** @param over seals and opens bytes, if set. */
  constructor(readonly conn: Deno.Conn, readonly over?: IncomingSealing) {}

  async read(size: number): Promise<Uint8Array<ArrayBuffer>> {
    while (this.#remainder.length < size) this.#remainder = joinedBytes([this.#remainder, await this.#more()]);
    const taken = this.#remainder.slice(0, size);
    this.#remainder = this.#remainder.slice(size);
    return taken;
  }

  async delimited(): Promise<Message> {
    const size: number[] = [];
    do size.push(...await this.read(1)); while (size.at(-1)! > 127);
    return new Message(await this.read(Number(new Reader(new Uint8Array(size)).varint())));
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.over) return await this.over.send(bytes);
    for (let offset = 0; offset < bytes.length;) offset += await this.conn.write(bytes.subarray(offset));
  }

  /** Returns the next bytes. */
  async #more(): Promise<Uint8Array> {
    if (this.over) return await this.over.receive();
    const part = new Uint8Array(65_536);
    const read = await this.conn.read(part);
    if (read === null) throw new Error("closed");
    return part.subarray(0, read);
  }

  /** Returns the bytes that were read in advance, or the next ones. */
  async some(): Promise<Uint8Array> {
    if (this.#remainder.length === 0) return await this.#more();
    const taken = this.#remainder;
    this.#remainder = new Uint8Array();
    return taken;
  }
}

/** Seals and opens bytes. */
export interface IncomingSealing {
  send(bytes: Uint8Array): Promise<void>;
  receive(): Promise<Uint8Array>;
}

/** The logins of a cluster: at name nodes and at data nodes. */
export interface ClusterLogins {
  names?(incoming: Incoming): Promise<Incoming>;
  data?(incoming: Incoming): Promise<Incoming>;
  /** The key of a cluster that encrypts all transfers. */
  readonly key?: Uint8Array;
}

/** The token of every block. */
export const BLOCK_TOKEN = message([[1, "t"], [2, "p"], [3, "k"], [4, ""]]);

/** A failure as a Java exception. */
class JavaException extends Error {
  constructor(readonly exception: string, message: string) {
    super(message);
  }
}

/** Starts a fake cluster. */
export function rpcCluster(logins: ClusterLogins = {}): RpcCluster {
  let time = 0;
  let nextBlock = 1;
  const entries: RpcCluster["entries"] = new Map([["/", { time }]]);
  const blocks = new Map<number, Uint8Array<ArrayBuffer>>();
  const open = new Map<string, number[]>();
  const conns = new Set<Deno.Conn>();
  const kept = new Set<Deno.Conn>();
  const listeners = [1, 2, 3].map(() => Deno.listen({ hostname: "127.0.0.1", port: 0 }));
  const [names, ...data] = listeners.map((listener) => (listener.addr as Deno.NetAddr).port);

  const places = data.map((port) => message([[1, message([[1, "127.0.0.1"], [2, "here"], [3, "id"], [4, port]])]]));
  const idOf = (block: number) => message([[1, "pool"], [2, block], [3, 7], [4, blocks.get(block)?.length ?? 0]]);
  const located = (block: number, offset: number) =>
    message([[1, idOf(block)], [2, offset], [3, places], [4, false], [
      5,
      BLOCK_TOKEN,
    ]]);

  function make(path: string) {
    for (let folder = path; folder !== "" && !entries.has(folder); folder = folder.slice(0, folder.lastIndexOf("/"))) {
      entries.set(folder, { time });
    }
  }

  function statusOf(path: string, name: string): Uint8Array {
    const { bytes, time } = entries.get(path)!;
    return message([[1, bytes ? 2 : 1], [2, name], [3, bytes?.length ?? 0], [7, time], [13, 5]]);
  }

  function below(path: string): string[] {
    const prefix = path === "/" ? "/" : `${path}/`;
    return [...entries.keys()].filter((key) => key !== "/" && key.startsWith(prefix));
  }

  /** Splits content into blocks, encoded for a reader. */
  function blocksOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array[] {
    const all: Uint8Array[] = [];
    for (let offset = 0; offset < bytes.length; offset += BLOCK_BYTES) {
      blocks.set(nextBlock, bytes.slice(offset, offset + BLOCK_BYTES));
      all.push(located(nextBlock++, offset));
    }
    return all;
  }

  /** Returns and removes the next fault if it is one of these. */
  function met<H extends RpcFault>(...these: readonly H[]): H | undefined {
    const harm = these.find((candidate) => candidate === made.harms[0]);
    if (harm) made.harms.shift();
    return harm;
  }

  const METHODS: Record<string, (request: Message, path: string) => Fields> = {
    getFileInfo: (_, path) => entries.has(path) ? [[1, statusOf(path, "")]] : [],
    getListing(request, path) {
      if (!entries.has(path)) return [];
      const prefix = path === "/" ? "/" : `${path}/`;
      const all = below(path).map((key) => key.slice(prefix.length)).filter((name) => !name.includes("/")).sort();
      const left = all.filter((name) => name > (request.text(2) ?? ""));
      // Pages are short, so that folders of the tests have several.
      const page = left.slice(0, 100);
      return [[1, message([[1, page.map((name) => statusOf(prefix + name, name))], [2, left.length - page.length]])]];
    },
    getBlockLocations(request, path) {
      const bytes = entries.get(path)?.bytes;
      if (!bytes) throw new JavaException("java.io.FileNotFoundException", `File does not exist: ${path}`);
      const [from = 0, size = 0] = [request.number(2), request.number(3)];
      const all = blocksOf(bytes).filter((_, index) =>
        (index + 1) * BLOCK_BYTES > from && index * BLOCK_BYTES < from + size
      );
      const harm = met("zone", "coded");
      const [sealed, policy] = ["zone", "coded"].map((kind) => kind === harm ? message([[1, "x"]]) : undefined);
      return [[1, message([[1, bytes.length], [2, all], [3, false], [5, true], [6, sealed], [7, policy]])]];
    },
    getServerDefaults: () => [
      [1, message([[1, BLOCK_BYTES], [2, 512], [3, 65_536], [4, 2], [5, 4096], [6, logins.key !== undefined]])],
    ],
    getDataEncryptionKey: () => [[1, logins.key]],
    create(_, path) {
      if (entries.has(path) && !entries.get(path)!.bytes) throw new JavaException("FileAlreadyExistsException", path);
      make(path.slice(0, path.lastIndexOf("/")) || "/");
      entries.set(path, { bytes: new Uint8Array(), time: ++time });
      open.set(path, []);
      const sealed = met("zone") && message([[15, message([[1, 1]])]]);
      return [[1, joinedBytes([statusOf(path, ""), sealed ?? new Uint8Array()])]];
    },
    addBlock(_, path) {
      if (met("early")) {
        throw new JavaException(
          "org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException",
          `Not replicated yet: ${path}`,
        );
      }
      open.get(path)!.push(nextBlock);
      return [[1, located(nextBlock++, 0)]];
    },
    complete(_, path) {
      if (met("incomplete")) return [[1, false]];
      const bytes = joinedBytes(open.get(path)!.map((block) => blocks.get(block) ?? new Uint8Array()));
      entries.set(path, { bytes, time: ++time });
      return [[1, true]];
    },
    renewLease: () => [],
    mkdirs(_, path) {
      make(path);
      return [[1, true]];
    },
    rename: (request, path) => [[1, !entries.has(request.text(2)!) && move(path, request.text(2)!)]],
    rename2(request, path) {
      move(path, request.text(2)!);
      return [];
    },
    delete(_, path) {
      const gone = [path, ...below(path)].filter((key) => entries.delete(key));
      return [[1, gone.length > 0]];
    },
  };

  function move(from: string, to: string): boolean {
    entries.set(to, entries.get(from)!);
    return entries.delete(from);
  }

  async function serveNames(greeted: Incoming): Promise<void> {
    kept.add(greeted.conn);
    const isSasl = (await greeted.read(7))[6] === 0xdf;
    if (isSasl !== (logins.names !== undefined)) throw new Error("it logs in otherwise");
    const incoming = await logins.names?.(greeted) ?? greeted;
    for (;;) {
      const size = new DataView((await incoming.read(4)).buffer).getUint32(0);
      const reader = new Reader(await incoming.read(size));
      const next = () => new Message(reader.take(Number(reader.varint())));
      const id = next().signed(3)!;
      const second = next();
      if (id < 0) {
        made.users.add(second.message(2)?.text(1) ?? "proved");
        continue;
      }
      await incoming.write(answerOf(id, second.text(1)!, next()));
    }
  }

  function answerOf(id: number, method: string, request: Message): Uint8Array {
    made.calls.push(method);
    let parts: Uint8Array[];
    try {
      if (made.isStandby) throw new JavaException("org.apache.hadoop.ipc.StandbyException", "state standby");
      if (met("safe")) {
        throw new JavaException("org.apache.hadoop.hdfs.server.namenode.SafeModeException", "it is starting");
      }
      const body = message(METHODS[method]!(request, request.text(1) ?? ""));
      parts = [message([[1, id], [2, 0]]), body];
    } catch (error) {
      if (!(error instanceof JavaException)) throw error;
      parts = [message([[1, id], [2, 1], [4, error.exception], [5, error.message]])];
    }
    const all = joinedBytes(parts.map(prefixVarintLength));
    const size = new Uint8Array(4);
    new DataView(size.buffer).setUint32(0, all.length);
    return joinedBytes([size, all]);
  }

  async function serveData(connected: Incoming): Promise<void> {
    const incoming = await logins.data?.(connected) ?? connected;
    const [, , operation] = await incoming.read(3);
    const asked = await incoming.delimited();
    const block = asked.message(1)!.message(1)!.message(1)!.number(2)!;
    const harm = operation === 80 ? met("cut", "flip", "refuse") : met(...READ_HARMS);
    if (harm === "refuse") return await incoming.write(prefixVarintLength(message([[1, 1], [5, "out of order"]])));
    if (operation === 80) return await take(incoming, block, harm);
    await give(incoming, blocks.get(block)!, { from: asked.number(2)!, size: asked.number(3)!, harm });
  }

  async function give(
    incoming: Incoming,
    bytes: Uint8Array,
    { from, size, harm }: { from: number; size: number; harm: TransferFault | undefined },
  ): Promise<void> {
    const start = from - from % BYTES_PER_SUM;
    const end = Math.min(bytes.length, Math.ceil((from + size) / BYTES_PER_SUM) * BYTES_PER_SUM);
    const sum = message([[1, message([[1, 2], [2, BYTES_PER_SUM]])], [2, harm === "ahead" ? from + 1 : start]]);
    await incoming.write(prefixVarintLength(message([[1, 0], [4, sum]])));
    if (harm === "empty") {
      await incoming.write(packet(new Uint8Array(), new Uint8Array(), { at: start, isLast: false }));
    }
    for (let offset = start;; offset += READ_PACKET) {
      const data = bytes.slice(offset, Math.min(end, offset + READ_PACKET));
      const sums = new DataView(new ArrayBuffer(Math.ceil(data.length / BYTES_PER_SUM) * 4));
      for (let index = 0; index * 4 < sums.byteLength; index++) {
        sums.setUint32(index * 4, crc32c(data.subarray(index * BYTES_PER_SUM, (index + 1) * BYTES_PER_SUM)));
      }
      if (harm === "flip" && data.length > 0) data[0]! ^= 1;
      const whole = packet(new Uint8Array(sums.buffer), data, {
        at: Math.min(end, harm === "astray" ? offset + BYTES_PER_SUM : offset),
        isLast: data.length === 0,
      });
      await incoming.write(harm === "cut" ? whole.subarray(0, whole.length >> 1) : whole);
      if (harm === "cut") return;
      if (data.length === 0) break;
    }
    await incoming.delimited().catch(() => {});
  }

  function packet(
    sums: Uint8Array,
    data: Uint8Array,
    { at, isLast }: { readonly at: number; readonly isLast: boolean },
  ): Uint8Array {
    const head = new Uint8Array(25);
    head.set([9], 0);
    new DataView(head.buffer).setBigInt64(1, BigInt(at), true);
    head.set([17], 9);
    head.set([24, Number(isLast), 37], 18);
    new DataView(head.buffer).setInt32(21, data.length, true);
    const size = new DataView(new ArrayBuffer(6));
    size.setUint32(0, 4 + sums.length + data.length);
    size.setUint16(4, head.length);
    return joinedBytes([new Uint8Array(size.buffer), head, sums, data]);
  }

  async function take(incoming: Incoming, block: number, harm: TransferFault | undefined): Promise<void> {
    const { crc32 } = await import("node:zlib");
    await incoming.write(prefixVarintLength(message([[1, 0], [2, ""]])));
    for (const parts: Uint8Array[] = [];;) {
      const head = new DataView((await incoming.read(6)).buffer);
      const header = new Message(await incoming.read(head.getUint16(4)));
      const data = header.number(4)!;
      const sums = new DataView((await incoming.read(head.getUint32(0) - 4 - data)).buffer);
      const bytes = await incoming.read(data);
      const isWhole = Array.from({ length: sums.byteLength / 4 }, (_, index) => index).every((index) =>
        sums.getUint32(index * 4) === crc32(bytes.subarray(index * BYTES_PER_SUM, (index + 1) * BYTES_PER_SUM))
      );
      if (harm === "cut") return;
      parts.push(bytes);
      const status = isWhole && harm !== "flip" ? 0 : 2;
      await incoming.write(prefixVarintLength(message([[1, 2 * header.number(2)!], [2, [status, status]]])));
      if (header.number(3) !== 1) continue;
      blocks.set(block, joinedBytes(parts));
      return;
    }
  }

  const serving = listeners.map(async (listener, index) => {
    for await (const conn of listener) {
      conns.add(conn);
      const served = index === 0 ? serveNames(new Incoming(conn)) : serveData(new Incoming(conn));
      void served.catch(() => {}).finally(() => {
        conns.delete(conn);
        kept.delete(conn);
        close(conn);
      });
    }
  });

  const made: RpcCluster = {
    port: names!,
    entries,
    calls: [],
    users: new Set(),
    harms: [],
    isStandby: false,
    drop: () => kept.forEach(close),
    async [Symbol.asyncDispose]() {
      for (const listener of listeners) listener.close();
      conns.forEach(close);
      await Promise.all(serving);
    },
  };
  return made;
}

function close(conn: Deno.Conn): void {
  try {
    conn.close();
  } catch {
    // It is closed already.
  }
}
