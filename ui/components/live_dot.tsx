/** The indicator that shows whether the page is up to date. */
import type { LiveState } from "../api/live.ts";
import { durationText } from "../model/duration.ts";
import * as words from "../model/text/en/shared.ts";

/** The indicator with its text. */
export function LiveDot({ state, now }: { state: LiveState; now: number }) {
  const word = wordOf(state, now);
  const reason = state.kind === "offline" || state.kind === "refused" ? state.refusal.message : undefined;
  return <span class={`live live-${state.kind}`} role="status" title={reason}>{word}</span>;
}

function wordOf(state: LiveState, now: number): string {
  switch (state.kind) {
    case "connecting":
      return words.connecting;
    case "live":
      return words.live;
    case "offline":
      return words.offlineFor(durationText(Math.floor((now - state.since) / 1000) * 1000));
    case "refused":
      return words.refused;
  }
}
