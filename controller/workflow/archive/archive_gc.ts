/** The deletion of archived workflows whose time is over, round by round. */
import { pause } from "@tiphys/base/clock";
import type { Log } from "@tiphys/base/log";
import type { Clock } from "../../loop/clock.ts";
import { Rounds } from "../../loop/rounds.ts";
import type { Archive, ArchiveAccess } from "./archive_access.ts";

/** The archive that the rounds clean, and the time between two of them. */
export interface ArchiveGcOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly access: Pick<ArchiveAccess, "isWanted" | "ttlMillis"> & { open(): Promise<Pick<Archive, "collect">> };
  /** The time between two rounds that look for old workflows, in milliseconds; 0 for no rounds. */
  readonly everyMillis: number;
}

/** The first round comes soon: a controller that is started anew every day would make no other. */
const FIRST_MILLIS = 60_000;

/** The pause between two batches: others use the database too. */
const APART_MILLIS = 100;

/** The rounds through the archive. Controllers that started together do not make the first one at the same time. */
export function archiveRounds(options: ArchiveGcOptions): Rounds {
  const { clock, everyMillis } = options;
  const firstMillis = FIRST_MILLIS * (1 + Math.random() / 10);
  return new Rounds({ clock, everyMillis, firstMillis, round: (signal) => collect(options, signal) });
}

/** Makes one round. What fails is left to the next one. */
async function collect({ access, clock, log }: ArchiveGcOptions, signal: AbortSignal): Promise<void> {
  const { isWanted, ttlMillis } = access;
  if (!isWanted || ttlMillis === 0) return;
  let deleted = 0;
  try {
    const archive = await access.open();
    const bound = new Date(clock.now() - ttlMillis);
    for (let isMore = true; isMore && !signal.aborted;) {
      const batch = await archive.collect(bound);
      deleted += batch.deleted;
      isMore = batch.isMore;
      const [trouble] = batch.troubles ?? [];
      if (trouble !== undefined) {
        log.warn("Logs of archived workflows could not be deleted", { count: batch.troubles?.length, first: trouble });
      }
      if (isMore) await pause(clock, APART_MILLIS, signal);
    }
  } catch (error) {
    if (signal.aborted) return;
    log.warn("Old workflows of the archive could not be deleted", { error: String(error) });
  }
  if (deleted > 0) log.info("Archived workflows whose time was over were deleted", { count: deleted });
}
