/** Measures one server: the latencies of its clients, and its memory. */
import { type KubeClient, WORKFLOWS } from "@tiphys/kube";
import { abortableFetch } from "@tiphys/base/net";
import { cpuSecondsOf, memoryOf, peakMemoryOf } from "../process_usage.ts";
import { percentile } from "../statistics.ts";
import { BIG, NAMESPACE, OF_SUBMITTED, submitted, WATCHED } from "./seed.ts";

/** A listening server. */
export interface ListeningServer {
  readonly url: string;
  readonly pid: number;
}

/** The formatted measurements of a server, by name. */
export type Figures = ReadonlyMap<string, string>;

const TIMES = Number(Deno.env.get("TIMES") || 100);
const FEW_TIMES = Math.min(20, TIMES);
const WATCHERS = 500;
/** Timeout of watch events. */
const WATCHED_WITHIN_MILLIS = 20_000;
const SUBMITS = 400;
const SUBMITS_AT_ONCE = 8;
/** Timeout of logs and submissions. After it, the measurement contains the progress so far. */
const DONE_WITHIN_MILLIS = 60_000;
const WORKFLOWS_PATH = `/api/v1/workflows/${NAMESPACE}`;
const OF_WATCHED = `listOptions.fieldSelector=metadata.name%3D${WATCHED}`;
const ARCHIVED =
  `/api/v1/archived-workflows?namespace=${NAMESPACE}&listOptions.fieldSelector=metadata.namespace=${NAMESPACE}`;

/** A request that is repeated `times` times. */
type RepeatedRequest = readonly [title: string, path: string, times: number];

const LISTS: readonly RepeatedRequest[] = [
  ["list of 50, newest first", `${WORKFLOWS_PATH}?listOptions.limit=50`, TIMES],
  ["list of 50, numeric continue 60000", `${WORKFLOWS_PATH}?listOptions.limit=50&listOptions.continue=60000`, TIMES],
  [
    "list of 50 by a label of 50",
    `${WORKFLOWS_PATH}?listOptions.limit=50&listOptions.labelSelector=team%3Dteam-7`,
    TIMES,
  ],
  [
    "list of 50 by a part of the name",
    `${WORKFLOWS_PATH}?listOptions.limit=50&listOptions.fieldSelector=metadata.name%3Dved-77&nameFilter=Contains`,
    FEW_TIMES,
  ],
  ["archived list of 50", `${ARCHIVED}&listOptions.limit=50`, TIMES],
  ["archived list of 50, page 1800", `${ARCHIVED}&listOptions.limit=50&listOptions.continue=90000`, FEW_TIMES],
];
const GETS: readonly RepeatedRequest[] = [[
  "get of the workflow with many nodes",
  `${WORKFLOWS_PATH}/${BIG}`,
  FEW_TIMES,
]];

/** The streams that send a first message immediately. */
const STREAMS: readonly (readonly [title: string, path: string])[] = [
  ["a watch of one workflow", `/api/v1/workflow-events/${NAMESPACE}?${OF_WATCHED}`],
  ["a watch of all", `/api/v1/workflow-events/${NAMESPACE}`],
  ["a log", `${WORKFLOWS_PATH}/${WATCHED}/log?logOptions.container=main`],
];

/** Idle time before the memory of a server is measured. */
const REST_MILLIS = 5_000;

/** Takes all measurements. A request that fails yields a measurement with the error, and the others continue. */
export async function measure(
  server: ListeningServer,
  client: KubeClient,
  print: (line: string) => void,
): Promise<Figures> {
  const figures = new Map<string, string>();
  const add = (name: string, figure: string) => {
    figures.set(name, figure);
    print(`  ${name}: ${figure}`);
  };
  const addMemory = async (when: string) => {
    await new Promise((resolve) => setTimeout(resolve, REST_MILLIS));
    add(`memory ${when}`, `${Math.round(memoryOf(server.pid))} MiB (at most ${Math.round(peakMemoryOf(server.pid))})`);
  };
  const used = async (subject: string, use: () => Promise<readonly Row[]>) => {
    const before = cpuSecondsOf(server.pid);
    const rows = await use().catch((error): readonly Row[] => [[subject, `failed: ${String(error).slice(0, 120)}`]]);
    const seconds = (cpuSecondsOf(server.pid) - before).toFixed(2);
    for (const [title, figure] of rows) add(title, figure);
    add(`${subject}: CPU`, `${seconds} s`);
  };
  await addMemory("at rest, just started");
  await used("lists", () => measureRequests(server, LISTS));
  await addMemory("after lists");
  await used("gets", () => measureRequests(server, GETS));
  await addMemory("after gets");
  await used("first bytes", () => firstBytes(server));
  await used("watchers", () => measureWatchers(server, client));
  await addMemory("after watchers");
  await used("log", () => measureLog(server));
  await used("submits", () => measureSubmissions(server));
  // Deletes the submitted workflows, because the next server would list them.
  await client.deleteCollection(WORKFLOWS, NAMESPACE, { labelSelector: OF_SUBMITTED });
  await addMemory("at the end");
  return figures;
}

/** A named measurement. */
type Row = readonly [title: string, figure: string];

async function measureRequests(
  server: ListeningServer,
  requests: readonly RepeatedRequest[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [title, path, times] of requests) rows.push([title, await measureRequest(server, path, times)]);
  return rows;
}

/** The time to the first byte of each kind of stream, opened one after the other, several times. */
async function firstBytes({ url }: ListeningServer): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [title, path] of STREAMS) {
    const millis: number[] = [];
    for (let index = 0; index < FEW_TIMES; index++) {
      const over = new AbortController();
      const signal = AbortSignal.any([over.signal, AbortSignal.timeout(WATCHED_WITHIN_MILLIS)]);
      const begun = performance.now();
      const response = await fetch(url + path, { signal });
      await response.body!.getReader().read();
      millis.push(performance.now() - begun);
      over.abort();
    }
    const [p50, p99] = [50, 99].map((percent) => percentile(millis, percent)!.toFixed(1));
    rows.push([`first byte of ${title}`, `p50 ${p50} ms, p99 ${p99} ms`]);
  }
  return rows;
}

async function measureRequest({ url }: ListeningServer, path: string, times: number): Promise<string> {
  const millis: number[] = [];
  let bytes = 0;
  for (let index = 0; index < times; index++) {
    const begun = performance.now();
    const response = await fetch(url + path);
    const text = await response.text();
    millis.push(performance.now() - begun);
    if (!response.ok) return `refused: ${response.status} ${text.slice(0, 80)}`;
    bytes = text.length;
  }
  const [p50, p99] = [50, 99].map((percent) => percentile(millis, percent)!.toFixed(1));
  return `p50 ${p50} ms, p99 ${p99} ms (${Math.round(bytes / 1024)} KiB)`;
}

/** Many watchers of one workflow: the times until all have received it, and until all have received a change. */
async function measureWatchers({ url }: ListeningServer, client: KubeClient): Promise<readonly Row[]> {
  const over = new AbortController();
  let heard = (_watcher: number, _text: string) => {};
  const readers = Array.from({ length: WATCHERS }, async (_, watcher) => {
    const address = `${url}/api/v1/workflow-events/${NAMESPACE}?${OF_WATCHED}`;
    const response = await abortableFetch(address, { signal: over.signal });
    let text = "";
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) heard(watcher, text += part);
  });
  const ended = Promise.allSettled(readers);
  const hear = async (words: RegExp) => {
    const begun = performance.now();
    const all = Promise.withResolvers<void>();
    const those = new Set<number>();
    heard = (watcher, text) => {
      if (!those.has(watcher) && words.test(text)) those.add(watcher);
      if (those.size === WATCHERS) all.resolve();
    };
    const timer = setTimeout(all.resolve, WATCHED_WITHIN_MILLIS);
    await all.promise;
    clearTimeout(timer);
    const millis = Math.round(performance.now() - begun);
    return those.size === WATCHERS ? `${millis} ms` : `${those.size} of them within ${millis} ms`;
  };
  const have = await hear(/"ADDED"/);
  await client.patch(WORKFLOWS, NAMESPACE, WATCHED, {
    metadata: { annotations: { touched: String(performance.now()) } },
  });
  const changed = await hear(/"MODIFIED"/);
  over.abort();
  await ended;
  return [
    [`${WATCHERS} watchers have the workflow`, have],
    [`${WATCHERS} watchers hear of a change`, changed],
  ];
}

async function measureLog({ url }: ListeningServer): Promise<readonly Row[]> {
  const begun = performance.now();
  let first: number | undefined;
  let bytes = 0;
  const signal = AbortSignal.timeout(DONE_WITHIN_MILLIS);
  try {
    const address = `${url}${WORKFLOWS_PATH}/${WATCHED}/log?logOptions.container=main`;
    const response = await abortableFetch(address, { signal });
    for await (const chunk of response.body!) {
      first ??= performance.now() - begun;
      bytes += chunk.length;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  const seconds = (performance.now() - begun) / 1000;
  return [
    ["first byte of a log of 100 MB", `${(first ?? NaN).toFixed(1)} ms`],
    ["log of 100 MB", `${seconds.toFixed(1)} s (${Math.round(bytes / 1e6)} MB as JSON)`],
  ];
}

async function measureSubmissions({ url }: ListeningServer): Promise<readonly Row[]> {
  const body = JSON.stringify({ workflow: submitted() });
  const begun = performance.now();
  const signal = AbortSignal.timeout(DONE_WITHIN_MILLIS);
  let left = SUBMITS;
  let made = 0;
  await Promise.all(Array.from({ length: SUBMITS_AT_ONCE }, async () => {
    while (left-- > 0 && !signal.aborted) {
      const response = await fetch(url + WORKFLOWS_PATH, { method: "POST", body, signal }).catch((error) => {
        if (!signal.aborted) throw error;
      });
      if (!response) return;
      if (!response.ok) throw new Error(`submit: ${response.status} ${await response.text()}`);
      await response.body?.cancel();
      made++;
    }
  }));
  const rate = Math.round(made / (performance.now() - begun) * 1000);
  return [["submits", `${rate} a second, ${SUBMITS_AT_ONCE} at a time (${made} made)`]];
}
