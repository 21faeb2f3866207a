/** Archived logs, for servers that return logs of existing pods only. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { nodesOf, podNameOf } from "@tiphys/model/status";
import { Refusal } from "./refusal.ts";
import type { LogBatch, LogQuery, Source } from "./source.ts";

/** The maximum number of archived logs that are read, and how many bytes of each. */
const MAX_PODS = 500;
const MAX_BYTES = 32 * 1024 * 1024;

interface LogRequest {
  readonly namespace: string;
  readonly name: string;
  readonly query: LogQuery;
  readonly signal: AbortSignal;
}

/**
 * Yields the lines of existing pods, then the archived logs of pods without lines. An archived run has no pods: pods
 * with its name belong to another run.
 */
export async function* withArchivedLogs(
  source: Source,
  live: AsyncIterable<LogBatch>,
  { namespace, name, query, signal }: LogRequest,
): AsyncGenerator<LogBatch> {
  const { uid } = query;
  const named = uid === undefined ? undefined : await source.getRun(namespace, name, uid, signal);
  const told = new Set<string>();
  let refusal: Refusal | undefined;
  if (named === undefined || !isFromArchive(named)) {
    try {
      for await (const batch of live) {
        namesIn(batch, told);
        yield batch;
      }
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "absent") throw error;
      refusal = error;
    }
  }
  const run = named ?? await source.getRun(namespace, name, undefined, signal).catch((error) => {
    throw refusal ?? error;
  });
  const artifact = `${query.container ?? "main"}-logs`;
  const kept = nodesWithArchivedLog(run, artifact).map((node) => ({ nodeId: node.id, podName: podNameOf(run, node) }))
    .filter(({ podName }) => !told.has(podName) && (query.podName === undefined || query.podName === podName));
  const archivedUid = isFromArchive(run) ? run.metadata.uid : undefined;
  for (const { nodeId, podName } of kept.slice(0, MAX_PODS)) {
    const place = { namespace, name, archivedUid, nodeId, side: "outputs", artifact, path: "" } as const;
    const content = await source.readArtifact(place, () => MAX_BYTES, signal);
    if (content.kind !== "file") continue;
    const lines = new TextDecoder().decode(content.bytes).split("\n");
    if (lines.at(-1) === "") lines.pop();
    if (lines.length > 0) yield { kind: "lines", lines: lines.map((line) => ({ podName, content: line })) };
  }
}

/** Returns the nodes with an archived log of a container, in start order. */
function nodesWithArchivedLog(run: Workflow, artifact: string): NodeStatus[] {
  const isKept = ({ outputs }: NodeStatus) =>
    outputs?.artifacts?.some(({ name, deleted }) => name === artifact && deleted !== true) === true;
  return nodesOf(run).filter((node) => node.type === "Pod" && isKept(node))
    .sort((a, b) => (a.startedAt ?? "") < (b.startedAt ?? "") ? -1 : 1);
}

function isFromArchive({ metadata: { labels } }: Workflow): boolean {
  return labels?.[LABEL.archivingStatus] === "Persisted";
}

function namesIn(batch: LogBatch, names: Set<string>): void {
  if (batch.kind === "lines") {
    for (const { podName } of batch.lines) names.add(podName);
    return;
  }
  const { text, places } = batch;
  for (let offset = 0; offset < places.length; offset += 4) names.add(text.slice(places[offset], places[offset + 1]));
}
