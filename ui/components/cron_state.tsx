/** The state of a schedule: it goes on, a person holds it, or its own rule has ended it. */
import { PhaseGlyph } from "./glyph.tsx";

/** The sign with its word. */
export function CronState({ isSuspended, isStopped }: { isSuspended: boolean; isStopped: boolean }) {
  if (isStopped) return <PhaseGlyph look={{ family: "idle", glyph: "idle", word: "Stopped" }} withWord />;
  return isSuspended
    ? <PhaseGlyph look={{ family: "waits", glyph: "suspended", word: "Suspended" }} withWord />
    : <PhaseGlyph look={{ family: "done", glyph: "done", word: "Active" }} withWord />;
}
