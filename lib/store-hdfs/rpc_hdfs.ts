/** HDFS over Hadoop's RPC: calls to the name node, and transfers with data nodes. */
import { type Clock, pause, systemClock } from "@tiphys/base/clock";
import { type Bytes, sliceOf, type Source } from "@tiphys/base/net";
import { StoreError } from "@tiphys/model/artifact";
import type { Quality } from "./digest_md5.ts";
import type { Hdfs, Status } from "./hdfs.ts";
import { type Block, type BlockClient, blockOf, idWithSize, readBlock, writeBlock } from "./rpc_blocks.ts";
import { Message, message } from "./rpc_messages.ts";
import { NameNodeError } from "./rpc_frames.ts";
import { NameNodeClient, type NameNodes } from "./rpc_name_node.ts";

/** Types of entries by number. */
const TYPES = { 1: "DIRECTORY", 2: "FILE", 3: "SYMLINK" } as const;

/** Modes of created entries, with a umask of 022. */
const FOLDER_MODE = message([[1, 0o755]]);
const FILE_MODE = message([[1, 0o644]]);

/** Flags of a new file: create, overwrite, replicated blocks. */
const CREATE_OVERWRITE_REPLICATED = 0x83;

/** Interval for renewing the lease of a file that is written, in milliseconds. */
const RENEW_MILLIS = 20_000;

/** Delays before the name node is queried again about a block, in milliseconds. */
const RETRY_DELAYS_MILLIS = [50, 200, 400, 800, 1600, 3200, 6400] as const;

/** The name nodes of a cluster, and the minimum protection of transfers with authenticated users. */
export interface Cluster extends NameNodes {
  readonly leastProtection?: Quality;
}

/** Creates the client of a cluster. */
export function rpcHdfs(nameNodes: Cluster, clock: Clock = systemClock): Hdfs {
  const names = new NameNodeClient(nameNodes);
  const client = `tiphys-${crypto.randomUUID()}`;

  async function status(path: string, stop: AbortSignal): Promise<Status | undefined> {
    const file = (await names.call("getFileInfo", [[1, path]], stop)).message(1);
    return file && { ...statusOf(file), pathSuffix: "" };
  }

  async function list(path: string, stop: AbortSignal): Promise<Status[]> {
    const all: Status[] = [];
    for (let after = new Uint8Array();;) {
      const page = (await names.call("getListing", [[1, path], [2, after], [3, false]], stop)).message(1);
      if (!page) throw new StoreError(`hdfs: there is no ${path}`, "missing");
      const entries = page.allBytes(1).map((bytes) => new Message(bytes));
      all.push(...entries.map(statusOf));
      const last = entries.at(-1)?.bytes(2);
      if (!page.number(2) || !last) return all;
      after = new Uint8Array(last);
    }
  }

  /** Returns the blocks that contain bytes `from` to `to`. */
  async function blocksOf(path: string, from: number, to: number, stop: AbortSignal): Promise<Block[]> {
    const located = (await names.call("getBlockLocations", [[1, path], [2, from], [3, to - from]], stop)).message(1);
    if (!located) throw new StoreError(`hdfs: there is no ${path}`, "missing");
    rejectUnsupportedCoding(path, { isEncrypted: located.bytes(6), isCoded: located.bytes(7) });
    const blocks = located.allBytes(2).map((bytes) => blockOf(new Message(bytes)));
    let position = from;
    for (const { offset, size } of blocks) if (offset <= position) position = Math.max(position, offset + size);
    if (position < to) throw new StoreError(`hdfs: no data node has byte ${position} of ${path}`, "transient");
    return blocks.filter(({ offset, size }) => offset < to && offset + size > from);
  }

  async function* read(
    blocks: readonly Block[],
    { from, to, asker }: { readonly from: number; readonly to: number; readonly asker: BlockClient },
    stop: AbortSignal,
  ): AsyncGenerator<Bytes> {
    for (const block of blocks) {
      const part = {
        from: Math.max(0, from - block.offset),
        to: Math.min(block.size, to - block.offset),
        asker,
      };
      yield* readBlock(block, part, stop);
    }
  }

  async function openBlocks(
    path: string,
    { from, length }: { readonly from: number; readonly length?: number },
    stop: AbortSignal,
  ): Promise<ReadableStream<Bytes>> {
    const end = length === undefined ? (await status(path, stop))?.length ?? 0 : from + length;
    const asker = await createBlockClient(await transferDefaults(stop), stop);
    // The blocks are fixed at the start: another file at this path has other blocks.
    const bytes = read(from < end ? await blocksOf(path, from, end, stop) : [], { from, to: end, asker }, stop);
    return new ReadableStream<Bytes>({
      async pull(stream) {
        const { value, done } = await bytes.next();
        if (done) stream.close();
        else stream.enqueue(value);
      },
      cancel: async () => void await bytes.return(undefined),
    }, { highWaterMark: 0 });
  }

  let known: Message | undefined;

  /** Returns the cluster's defaults for transfers. */
  async function transferDefaults(stop: AbortSignal): Promise<Message | undefined> {
    return known ??= (await names.call("getServerDefaults", [], stop)).message(1);
  }

  /**
   * Returns the client for data nodes. Connections are protected if users authenticate, or the cluster encrypts
   * transfers.
   */
  async function createBlockClient(defaults: Message | undefined, stop: AbortSignal): Promise<BlockClient> {
    const isEncrypted = defaults?.number(6) === 1;
    if (!isEncrypted && typeof nameNodes.user === "string") {
      return { client, protect: undefined, reach: nameNodes.reach };
    }
    const { protectTransfers } = await import("./block_sasl.ts");
    const key = isEncrypted ? (await names.call("getDataEncryptionKey", [], stop)).message(1) : undefined;
    return { client, protect: protectTransfers({ key, minimum: nameNodes.leastProtection }), reach: nameNodes.reach };
  }

  async function create(path: string, content: Source, stop: AbortSignal): Promise<void> {
    const defaults = await transferDefaults(stop);
    const asker = await createBlockClient(defaults, stop);
    const blockBytes = defaults?.number(1) || 128 * 2 ** 20;
    const file = (await names.call("create", [
      [1, path],
      [2, FILE_MODE],
      [3, client],
      [4, CREATE_OVERWRITE_REPLICATED],
      [5, true],
      [6, defaults?.number(4) || 3],
      [7, blockBytes],
    ], stop)).message(1);
    rejectUnsupportedCoding(path, { isEncrypted: file?.bytes(15), isCoded: undefined });
    const id = file?.number(13) ?? 0;
    let renewed = clock.now();
    const tick = async () => {
      if (clock.now() - renewed < RENEW_MILLIS) return;
      renewed = clock.now();
      await names.call("renewLease", [[1, client]], stop);
    };
    let last: Uint8Array | undefined;
    for (let offset = 0; offset < content.size; offset += blockBytes) {
      const block = await addBlock(path, id, last, stop);
      const size = Math.min(blockBytes, content.size - offset);
      const part = sliceOf(content, offset, offset + size);
      await writeBlock(block, { content: part, asker, tick }, stop);
      last = idWithSize(block.id, size);
    }
    await complete(path, id, last, stop);
  }

  async function addBlock(path: string, id: number, before: Uint8Array | undefined, stop: AbortSignal): Promise<Block> {
    for (const wait of [...RETRY_DELAYS_MILLIS, undefined]) {
      try {
        const answer = await names.call("addBlock", [[1, path], [2, client], [3, before], [5, id]], stop);
        return blockOf(answer.message(1) ?? new Message(new Uint8Array()));
      } catch (error) {
        const isEarly = error instanceof NameNodeError && error.exception === "NotReplicatedYetException";
        if (!isEarly || wait === undefined) throw error;
        await pause(clock, wait, stop);
      }
    }
    throw new StoreError(`hdfs: ${path} cannot be extended by a block`, "transient");
  }

  async function complete(path: string, id: number, last: Uint8Array | undefined, stop: AbortSignal): Promise<void> {
    for (const wait of [...RETRY_DELAYS_MILLIS, undefined]) {
      const answer = await names.call("complete", [[1, path], [2, client], [3, last], [4, id]], stop);
      if (answer.number(1)) return;
      if (wait !== undefined) await pause(clock, wait, stop);
    }
    throw new StoreError(`hdfs: the blocks of ${path} are not sufficiently replicated`, "transient");
  }

  return {
    title: "hdfs",
    status,
    list,
    open: openBlocks,
    create,
    async makeFolder(path, stop) {
      await names.call("mkdirs", [[1, path], [2, FOLDER_MODE], [3, true]], stop);
    },
    async rename(path, to, overwrites, stop) {
      if (!overwrites) return (await names.call("rename", [[1, path], [2, to]], stop)).number(1) === 1;
      await names.call("rename2", [[1, path], [2, to], [3, true]], stop);
      return true;
    },
    async remove(path, stop) {
      return (await names.call("delete", [[1, path], [2, true]], stop)).number(1) === 1;
    },
    close: () => names[Symbol.dispose](),
  };
}

function statusOf(file: Message): Status {
  return {
    pathSuffix: file.text(2) ?? "",
    type: TYPES[file.number(1) as keyof typeof TYPES] ?? "SYMLINK",
    length: file.number(3) ?? 0,
    modificationTime: file.number(7) ?? 0,
  };
}

/** Rejects encrypted and erasure-coded files, which this client cannot decode. */
function rejectUnsupportedCoding(
  path: string,
  { isEncrypted, isCoded }: { readonly isEncrypted: Uint8Array | undefined; readonly isCoded: Uint8Array | undefined },
): void {
  const why = isEncrypted ? "is in an encryption zone" : isCoded ? "is erasure-coded" : undefined;
  if (why) throw new StoreError(`hdfs: ${path} ${why}, which is read over WebHDFS only: give an http address`, "final");
}
