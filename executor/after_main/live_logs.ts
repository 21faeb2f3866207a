/**
 * Upload of logs while they grow, so that most of a log survives the loss of its pod. A small log is uploaded once,
 * after main has ended; until then it costs only a check of its size.
 */
import { describeError } from "../failure.ts";
import { mainContainers, type PodTemplate, type TemplateArtifact } from "../pod/template.ts";
import type { World } from "../world.ts";
import { type ContainerLog, openLog } from "./container_log.ts";
import type { SentLog } from "./sent_log.ts";

/** Milliseconds between two checks of log sizes. */
const LOOK_MILLIS = 10_000;

/** The minimum size of a log for its first upload, and the minimum growth for each further one. */
const MIN_GROWTH_BYTES = 8 * 1024 * 1024;

/**
 * The minimum growth relative to the uploaded part. It keeps the bytes that the store copies proportional to the log.
 */
const MIN_GROWTH_SHARE = 1 / 8;

/** After this number of failures, a log is uploaded only at the end. */
const MAX_FAILURES = 3;

/** The logs that are being watched. */
export interface LiveLogs {
  /** Stops watching. Resolves to the uploaded part of each container's log. */
  end(): Promise<ReadonlyMap<string, SentLog>>;
}

/**
 * Watches the logs of the main containers if the template archives them. Each time the first part of a log is uploaded,
 * `report` is called with the artifacts of all logs that are in the store.
 */
export function watchLogs(
  world: World,
  template: PodTemplate,
  report: (artifacts: readonly TemplateArtifact[]) => Promise<void>,
): LiveLogs {
  const sent = new Map<string, SentLog>();
  // A resource template reports its outputs itself, and its log is small.
  if (template.archiveLocation?.archiveLogs !== true || template.resource) return { end: () => Promise.resolve(sent) };
  const over = new AbortController();
  const failures = new Map<string, number>();
  const said = (container: string) => (error: unknown) =>
    world.log(world.redact(`live upload of the log of ${container} failed: ${describeError(error)}`));
  const look = async (container: string) => {
    if ((failures.get(container) ?? 0) >= MAX_FAILURES) return;
    try {
      using log = openLog(world, container);
      if (!log || !isUploadDue(log, sent.get(container))) return;
      const { SentLog } = await import("./sent_log.ts");
      const before = sent.get(container);
      const now = await SentLog.send(world, template, container, { log, before, stop: over.signal });
      sent.set(container, now);
      // Not awaited: an unreachable API server must not delay the upload.
      if (!before) report([...sent.values()].map(({ artifact }) => artifact)).catch(said(container));
    } catch (error) {
      if (over.signal.aborted) return;
      failures.set(container, (failures.get(container) ?? 0) + 1);
      said(container)(error);
    }
  };
  let looking = Promise.resolve();
  let takeBack = () => {};
  const next = () => {
    takeBack = world.clock.after(LOOK_MILLIS, () => {
      looking = (async () => {
        for (const container of mainContainers(template)) await look(container);
        if (!over.signal.aborted) next();
      })();
    });
  };
  next();
  return {
    async end() {
      over.abort();
      takeBack();
      await looking;
      return sent;
    },
  };
}

function isUploadDue({ held }: ContainerLog, sent: SentLog | undefined): boolean {
  const { size } = held.info();
  if (!sent) return size >= MIN_GROWTH_BYTES;
  return size - sent.bytes >= Math.max(MIN_GROWTH_BYTES, sent.bytes * MIN_GROWTH_SHARE);
}
