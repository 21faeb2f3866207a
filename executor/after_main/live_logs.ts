/**
 * Logs on their way to the store while they grow, so that a pod that is lost leaves most of what it printed. A small log
 * goes there when main has ended, and costs nothing before that but a look at its size.
 */
import { describe } from "../failure.ts";
import { mainContainers, type PodTemplate, type TemplateArtifact } from "../pod/template.ts";
import type { World } from "../world.ts";
import { type ContainerLog, logOf } from "./container_log.ts";
import type { SentLog } from "./sent_log.ts";

/** The time between two looks at the sizes of logs, milliseconds. */
const LOOK_MILLIS = 10_000;

/** The size from which on a log is sent, and the bytes by which it must have grown to be sent further. */
const LEAST_BYTES = 8 * 1024 * 1024;

/** The part of what was sent by which a log must have grown: what the store copies stays in proportion. */
const LEAST_GROWTH = 1 / 8;

/** The failures after which a log is left to the end. */
const MOST_FAILURES = 3;

/** Logs that are watched. */
export interface LiveLogs {
  /** Ends the watch. The answer is what lies in the store of each container's log. */
  end(): Promise<ReadonlyMap<string, SentLog>>;
}

/**
 * Watches the logs of main's containers, where the template archives them. `tell` is told the artifacts of those that lie
 * in the store, each time there is one more.
 */
export function watchLogs(
  world: World,
  template: PodTemplate,
  tell: (artifacts: readonly TemplateArtifact[]) => Promise<void>,
): LiveLogs {
  const sent = new Map<string, SentLog>();
  // A main that reports for itself has its own words in the place of outputs, and prints little.
  if (template.archiveLocation?.archiveLogs !== true || template.resource) return { end: () => Promise.resolve(sent) };
  const over = new AbortController();
  const failures = new Map<string, number>();
  const said = (container: string) => (error: unknown) =>
    world.log(world.redact(`the log of ${container} is not sent while it grows: ${describe(error)}`));
  const look = async (container: string) => {
    if ((failures.get(container) ?? 0) >= MOST_FAILURES) return;
    try {
      using log = logOf(world, container);
      if (!log || !isDue(log, sent.get(container))) return;
      const { SentLog } = await import("./sent_log.ts");
      const before = sent.get(container);
      const now = await SentLog.send(world, template, container, { log, before, stop: over.signal });
      sent.set(container, now);
      // Not waited for: an API server that is away keeps no log back.
      if (!before) tell([...sent.values()].map(({ artifact }) => artifact)).catch(said(container));
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

function isDue({ held }: ContainerLog, sent: SentLog | undefined): boolean {
  const { size } = held.info();
  if (!sent) return size >= LEAST_BYTES;
  return size - sent.bytes >= Math.max(LEAST_BYTES, sent.bytes * LEAST_GROWTH);
}
