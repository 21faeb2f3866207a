/** The state of a schedule: active, suspended, or stopped by its stop condition. */
import * as words from "../model/text/en/object_pages.ts";
import { PhaseGlyph } from "./glyph.tsx";

/** The icon with its text. */
export function CronState({ isSuspended, isStopped }: { isSuspended: boolean; isStopped: boolean }) {
  if (isStopped) return <PhaseGlyph look={{ family: "idle", glyph: "idle", word: words.stoppedState }} withWord />;
  return isSuspended
    ? <PhaseGlyph look={{ family: "waits", glyph: "suspended", word: words.suspendedState }} withWord />
    : <PhaseGlyph look={{ family: "done", glyph: "done", word: words.active }} withWord />;
}
