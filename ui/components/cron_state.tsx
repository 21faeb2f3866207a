/** The state of a schedule: active, suspended, or stopped by its stop condition. */
import * as words from "../model/text/en/cron_state.ts";
import { PhaseGlyph } from "./glyph.tsx";

/** The icon with its text. */
export function CronState({ isSuspended, isStopped }: { isSuspended: boolean; isStopped: boolean }) {
  if (isStopped) return <PhaseGlyph look={{ family: "idle", glyph: "idle", word: words.stopped }} withWord />;
  return isSuspended
    ? <PhaseGlyph look={{ family: "waits", glyph: "suspended", word: words.suspended }} withWord />
    : <PhaseGlyph look={{ family: "done", glyph: "done", word: words.active }} withWord />;
}
