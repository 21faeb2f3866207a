/** The memory of a page and its workers: objects, and the bytes of logs and columns outside the heap. */
import type { CDPSession } from "playwright-core";
import type { Figures, OpenPage } from "./scene.ts";

const MEGABYTE = 1024 * 1024;

interface HeapUsage {
  readonly usedSize: number;
  readonly backingStorageSize: number;
}

/** Upper bound of garbage collections before a measurement. */
const MAX_COLLECTIONS = 5;

/**
 * The memory in use after garbage collection, in megabytes. Objects that one collection frees may have referenced
 * others, so collections are repeated until one frees less than a hundredth.
 */
export async function memoryOf({ session }: OpenPage): Promise<number> {
  let used = await usedAfterCollection(session);
  for (let time = 1; time < MAX_COLLECTIONS; time++) {
    const next = await usedAfterCollection(session);
    const isDone = next > used * 0.99;
    used = Math.min(used, next);
    if (isDone) break;
  }
  return used;
}

async function usedAfterCollection(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  const own = megabytesOf(await session.send("Runtime.getHeapUsage") as HeapUsage);
  return (await heapsOfThreads(session)).reduce((sum, heap) => sum + megabytesOf(heap), own);
}

interface BrowserProcess {
  readonly type: string;
  readonly id: number;
}

/**
 * The resident memory of the page's process, in megabytes: the heap, images, and the browser's own data. Undefined if
 * the operating system does not report it. A bench shows one page at a time, so the largest process of a page is the
 * right one.
 */
async function residentOf({ bench }: OpenPage): Promise<number | undefined> {
  const session = await bench.browser.newBrowserCDPSession();
  try {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo") as {
      readonly processInfo: readonly BrowserProcess[];
    };
    const sizes = await Promise.all(
      processInfo.filter(({ type }) => type === "renderer").map(({ id }) =>
        // A process that has exited has no memory.
        Deno.readTextFile(`/proc/${id}/status`).then(residentIn, () => undefined)
      ),
    );
    const known = sizes.filter((size) => size !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  } finally {
    await session.detach();
  }
}

/** The resident memory in a Linux `/proc/PID/status`, in megabytes; undefined if it is missing. */
export function residentIn(status: string): number | undefined {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

/** The measurement for a scene; empty if the operating system does not report it. */
export async function residentFigure(open: OpenPage): Promise<Figures> {
  const megabytes = await residentOf(open);
  return megabytes === undefined ? {} : { "resident memory of the process": megabytes };
}

/**
 * The memory in use without compiled code, which grows as the code runs often. Only for the page itself: measured when
 * its workers have ended.
 */
export async function memoryWithoutCode(open: OpenPage): Promise<number> {
  const whole = await memoryOf(open);
  return whole - await compiledCodeOf(open.session);
}

interface HeapSnapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly unknown[] };
  };
  /** The fields of all nodes, in sequence. */
  readonly nodes: readonly number[];
}

async function compiledCodeOf(session: CDPSession): Promise<number> {
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
  for (let offset = 0; offset < nodes.length; offset += meta.node_fields.length) {
    if (nodes[offset + type] === code) bytes += nodes[offset + size]!;
  }
  return bytes / MEGABYTE;
}

function megabytesOf({ usedSize, backingStorageSize }: HeapUsage): number {
  return (usedSize + backingStorageSize) / MEGABYTE;
}

/** The heap usage of the workers of a page. */
async function heapsOfThreads(session: CDPSession): Promise<HeapUsage[]> {
  const asked: Promise<HeapUsage>[] = [];
  const onAttached = ({ sessionId, targetInfo }: { sessionId: string; targetInfo: { type: string } }) => {
    if (targetInfo.type === "worker") asked.push(heapOfThread(session, sessionId));
  };
  session.on("Target.attachedToTarget", onAttached);
  // The page reports its existing workers before the response.
  await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  try {
    return await Promise.all(asked);
  } finally {
    session.off("Target.attachedToTarget", onAttached);
    await session.send("Target.setAutoAttach", { autoAttach: false, waitForDebuggerOnStart: false, flatten: false });
  }
}

async function heapOfThread(session: CDPSession, sessionId: string): Promise<HeapUsage> {
  await callMethod(session, sessionId, 1, "HeapProfiler.collectGarbage");
  return await callMethod(session, sessionId, 2, "Runtime.getHeapUsage") as HeapUsage;
}

function callMethod(session: CDPSession, sessionId: string, id: number, method: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: { sessionId: string; message: string }) => {
      if (message.sessionId !== sessionId) return;
      const answer = JSON.parse(message.message);
      if (answer.id !== id) return;
      session.off("Target.receivedMessageFromTarget", onMessage);
      resolve(answer.result);
    };
    session.on("Target.receivedMessageFromTarget", onMessage);
    session.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method }) }).catch(reject);
  });
}
