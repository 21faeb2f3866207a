/** The memory of a page and of its threads: objects, and the bytes of logs and columns that lie beside them. */
import type { CDPSession } from "playwright-core";
import type { Figures, OpenPage } from "./scene.ts";

const MEGABYTE = 1024 * 1024;

interface HeapUsage {
  readonly usedSize: number;
  readonly backingStorageSize: number;
}

/** The most collections before memory is told. */
const MOST_COLLECTIONS = 5;

/**
 * What is in use after collections, in megabytes: what one lets go of may have held more, which only the next one takes, so
 * they go on until a hundredth or less is gained by one.
 */
export async function memoryOf({ session }: OpenPage): Promise<number> {
  let used = await afterCollection(session);
  for (let time = 1; time < MOST_COLLECTIONS; time++) {
    const next = await afterCollection(session);
    const isDone = next > used * 0.99;
    used = Math.min(used, next);
    if (isDone) break;
  }
  return used;
}

async function afterCollection(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  const own = megabytesOf(await session.send("Runtime.getHeapUsage") as HeapUsage);
  return (await heapsOfThreads(session)).reduce((sum, heap) => sum + megabytesOf(heap), own);
}

interface BrowserProcess {
  readonly type: string;
  readonly id: number;
}

/**
 * What the system holds for the page's process at this moment, in megabytes: the heap, the pictures, and what the browser has
 * for it; undefined where the system does not tell. A bench shows one page at a time: of the processes for pages the largest
 * is its.
 */
async function residentOf({ bench }: OpenPage): Promise<number | undefined> {
  const session = await bench.browser.newBrowserCDPSession();
  try {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo") as {
      readonly processInfo: readonly BrowserProcess[];
    };
    const sizes = await Promise.all(
      processInfo.filter(({ type }) => type === "renderer").map(({ id }) =>
        // A process that is gone by now holds nothing.
        Deno.readTextFile(`/proc/${id}/status`).then(residentIn, () => undefined)
      ),
    );
    const known = sizes.filter((size) => size !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  } finally {
    await session.detach();
  }
}

/** The resident memory in the words of Linux about a process, in megabytes. */
export function residentIn(status: string): number | undefined {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

/** The figure of a scene; none where the system does not tell. */
export async function residentFigure(open: OpenPage): Promise<Figures> {
  const megabytes = await residentOf(open);
  return megabytes === undefined ? {} : { "resident memory of its process": megabytes };
}

/**
 * What is in use, without the programs that the browser compiled, which grow as they run often and hold nothing of the page's: of its
 * page alone, which is looked at when its threads are gone.
 */
export async function keptMemoryOf(open: OpenPage): Promise<number> {
  const whole = await memoryOf(open);
  return whole - await programsOf(open.session);
}

interface HeapSnapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly unknown[] };
  };
  /** The fields of one node after another. */
  readonly nodes: readonly number[];
}

async function programsOf(session: CDPSession): Promise<number> {
  const pieces: string[] = [];
  const onPiece = ({ chunk }: { chunk: string }) => void pieces.push(chunk);
  session.on("HeapProfiler.addHeapSnapshotChunk", onPiece);
  try {
    await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  } finally {
    session.off("HeapProfiler.addHeapSnapshotChunk", onPiece);
  }
  const { snapshot: { meta }, nodes } = JSON.parse(pieces.join("")) as HeapSnapshot;
  const [type, size] = [meta.node_fields.indexOf("type"), meta.node_fields.indexOf("self_size")];
  const code = (meta.node_types[type] as readonly string[]).indexOf("code");
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += meta.node_fields.length) {
    if (nodes[at + type] === code) bytes += nodes[at + size]!;
  }
  return bytes / MEGABYTE;
}

function megabytesOf({ usedSize, backingStorageSize }: HeapUsage): number {
  return (usedSize + backingStorageSize) / MEGABYTE;
}

/** The heaps of the threads of a page. */
async function heapsOfThreads(session: CDPSession): Promise<HeapUsage[]> {
  const asked: Promise<HeapUsage>[] = [];
  const onAttached = ({ sessionId, targetInfo }: { sessionId: string; targetInfo: { type: string } }) => {
    if (targetInfo.type === "worker") asked.push(heapOfThread(session, sessionId));
  };
  session.on("Target.attachedToTarget", onAttached);
  // A page tells of the threads that it has before it answers.
  await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  try {
    return await Promise.all(asked);
  } finally {
    session.off("Target.attachedToTarget", onAttached);
    await session.send("Target.setAutoAttach", { autoAttach: false, waitForDebuggerOnStart: false, flatten: false });
  }
}

async function heapOfThread(session: CDPSession, sessionId: string): Promise<HeapUsage> {
  await ask(session, sessionId, 1, "HeapProfiler.collectGarbage");
  return await ask(session, sessionId, 2, "Runtime.getHeapUsage") as HeapUsage;
}

function ask(session: CDPSession, sessionId: string, id: number, method: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (told: { sessionId: string; message: string }) => {
      if (told.sessionId !== sessionId) return;
      const answer = JSON.parse(told.message);
      if (answer.id !== id) return;
      session.off("Target.receivedMessageFromTarget", onMessage);
      resolve(answer.result);
    };
    session.on("Target.receivedMessageFromTarget", onMessage);
    session.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method }) }).catch(reject);
  });
}
