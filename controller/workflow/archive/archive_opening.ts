/** The opening of the archive at the start: its tables are there before anything is stored or looked up. */
import type { Log } from "@tiphys/base/log";
import type { Clock } from "../../loop/clock.ts";
import { Rounds } from "../../loop/rounds.ts";
import type { ArchiveAccess } from "./archive_access.ts";

/** The archive that is opened, and the log that hears why it cannot be. */
export interface ArchiveOpeningOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly access: Pick<ArchiveAccess, "isUsed"> & { open(): Promise<unknown> };
}

/** The time between two tries; settings that name an archive later are noticed within it. */
const EVERY_MILLIS = 30_000;

/** The rounds that open the archive where the settings name one. Each cause that they meet in a row is told of once. */
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
      if (cause !== told) log.warn("The archive could not be opened; it is tried again", { error: cause });
      told = cause;
    }
  };
  return new Rounds({ clock, everyMillis: EVERY_MILLIS, firstMillis: 0, round });
}
