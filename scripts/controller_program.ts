/** What the controller's image runs, for who builds it and for who measures it. */
export const CONTROLLER_PROGRAM = {
  entry: "controller/main.ts",
  parts: { usesNode: true },
  /**
   * Most of what a pass makes is gone after it. V8 would let 16 MiB of that pile up, twice, before it looks: with a small
   * nursery it looks more often and the process stays a fifth smaller (docs/performance.md).
   */
  v8Flags: ["--v8-flags=--max-semi-space-size=1"],
} as const;
