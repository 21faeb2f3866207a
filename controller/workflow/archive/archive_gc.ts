/** Deletes expired workflows from the archive at intervals. */
import { pause } from "@tiphys/base/clock";
import type { Log } from "@tiphys/base/log";
import type { Clock } from "../../loop/clock.ts";
import { Rounds } from "../../loop/rounds.ts";
import type { Archive, ArchiveAccess } from "./archive_access.ts";

/** The archive to clean, and the interval. */
export interface ArchiveGcOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly access: Pick<ArchiveAccess, "isEnabled" | "ttlMillis"> & {
    open(): Promise<Pick<Archive, "deleteFinishedBefore">>;
  };
  /** The interval between two rounds, in milliseconds; 0 for no rounds. */
  readonly everyMillis: number;
}

/** The first round starts soon: a controller that is restarted every day would otherwise never run one. */
const FIRST_ROUND_MILLIS = 60_000;

/** The pause between two batches, because others use the database as well. */
const BATCH_PAUSE_MILLIS = 100;

/** The rounds through the archive. Controllers that start together do not run their first rounds at the same time. */
export function archiveRounds(options: ArchiveGcOptions): Rounds {
  const { clock, everyMillis } = options;
  const firstMillis = FIRST_ROUND_MILLIS * (1 + Math.random() / 10);
  return new Rounds({ clock, everyMillis, firstMillis, round: (signal) => collect(options, signal) });
}

/** Runs one round. The next round retries what failed. */
async function collect({ access, clock, log }: ArchiveGcOptions, signal: AbortSignal): Promise<void> {
  const { isEnabled: isWanted, ttlMillis } = access;
  if (!isWanted || ttlMillis === 0) return;
  let deleted = 0;
  try {
    const archive = await access.open();
    const bound = new Date(clock.now() - ttlMillis);
    for (let isMore = true; isMore && !signal.aborted;) {
      const batch = await archive.deleteFinishedBefore(bound);
      deleted += batch.deleted;
      isMore = batch.isMore;
      const [trouble] = batch.troubles ?? [];
      if (trouble !== undefined) {
        log.warn("Could not delete logs of archived workflows", { count: batch.troubles?.length, first: trouble });
      }
      if (isMore) await pause(clock, BATCH_PAUSE_MILLIS, signal);
    }
  } catch (error) {
    if (signal.aborted) return;
    log.warn("Could not delete old workflows of the archive", { error: String(error) });
  }
  if (deleted > 0) log.info("Deleted expired archived workflows", { count: deleted });
}
