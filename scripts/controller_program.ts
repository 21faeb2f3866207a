/** The program in the controller's image, for who builds it and for who measures it. */
export const CONTROLLER_PROGRAM = {
  entry: "controller/main.ts",
  parts: { scripts: ["lib/kube/client_node.ts"], threads: ["controller/workflow/lane/thread.ts"] },
  /**
   * Most of what a pass makes is gone after it. V8 would let 16 MiB of that pile up, twice, before it looks: with a small
   * nursery it looks more often. What outlives the nursery by chance would double the heap before V8 looks there: now two
   * fifths more are enough. A cache of compiled code would be written at the first start, which takes 40 MiB, and where
   * containers live it would not be there at the next (docs/performance.md).
   */
  flags: ["--v8-flags=--max-semi-space-size=1,--heap-growing-percent=40", "--no-code-cache"],
} as const;
