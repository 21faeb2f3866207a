/** The keys of a run's page, with what each does: for the page, the palette, and who asks which there are. */
export const RUN_KEYS = [
  ["1", "Show the graph"],
  ["2", "Show the timeline"],
  ["3", "Show the tree"],
  ["4", "Show the logs"],
  ["5", "Show the events"],
  ["6", "Show the manifest"],
  ["7", "Show the artifacts"],
  ["8", "Compare with another run"],
  ["/", "Find nodes, or in the log"],
  ["f", "Only what failed"],
  ["[", "The failed node before"],
  ["]", "The next failed node"],
  ["c", "The critical path"],
  ["l", "The log of the node"],
  ["r", "Retry"],
  ["Escape", "Close the panel"],
] as const;

/** A key of a run's page. */
export type RunKey = (typeof RUN_KEYS)[number][0];
