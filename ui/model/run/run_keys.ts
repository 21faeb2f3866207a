/** The keys of a run's page, with what each does, for who asks which there are. */
export const RUN_KEYS: readonly (readonly [key: string, does: string])[] = [
  ["1 … 8", "Show a tab"],
  ["/", "Find nodes"],
  ["f", "Only what failed"],
  ["[ ]", "The failed node before, and the next"],
  ["c", "The critical path"],
  ["l", "The log of the node"],
  ["r", "Retry"],
  ["Esc", "Close the panel"],
];
