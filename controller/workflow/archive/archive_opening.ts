/** Opens the archive at the start, so that its tables exist before they are needed. */
import type { Log } from "@tiphys/base/log";
import type { Clock } from "../../loop/clock.ts";
import { Rounds } from "../../loop/rounds.ts";
import type { ArchiveAccess } from "./archive_access.ts";

/** The archive to open, and the log for failures. */
export interface ArchiveOpeningOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly access: Pick<ArchiveAccess, "isUsed"> & { open(): Promise<unknown> };
}

/** The interval between attempts. It is also how soon settings that configure an archive later take effect. */
const ATTEMPT_INTERVAL_MILLIS = 30_000;

/** The rounds that open the archive if the settings name one. Repeated failures with the same cause are logged once. */
export function openingRounds({ clock, log, access }: ArchiveOpeningOptions): Rounds {
  let told: string | undefined;
  const round = async () => {
    if (!access.isUsed) return;
    try {
      await access.open();
      if (told !== undefined) log.info("The archive was opened");
      told = undefined;
    } catch (error) {
      const cause = String(error);
      if (cause !== told) log.warn("Could not open the archive, retrying", { error: cause });
      told = cause;
    }
  };
  return new Rounds({ clock, everyMillis: ATTEMPT_INTERVAL_MILLIS, firstMillis: 0, round });
}
