/** The keys of a run's page with their descriptions, for the page, the palette, and the list of keys. */
import * as words from "../text/en/keys.ts";

/** Each key with its description. */
export const RUN_KEYS = [
  ["1", words.showGraph],
  ["2", words.showTimeline],
  ["3", words.showTree],
  ["4", words.showLogs],
  ["5", words.showEvents],
  ["6", words.showManifest],
  ["7", words.showArtifacts],
  ["8", words.compare],
  ["/", words.find],
  ["f", words.onlyFailed],
  ["[", words.failedBefore],
  ["]", words.nextFailed],
  ["c", words.criticalPath],
  ["l", words.logOfNode],
  ["r", words.retry],
  ["Escape", words.closePanel],
] as const;

/** A key of a run's page. */
export type RunKey = (typeof RUN_KEYS)[number][0];
