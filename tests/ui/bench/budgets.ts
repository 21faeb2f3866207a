/** The measurements of each scene, and their budgets: upper or lower bounds. */

/**
 * A measurement of a scene. Times are in milliseconds. A measurement without a bound only helps to explain the others.
 */
export interface Budget {
  /** The ID of its budget, such as `B-05`; undefined for a measurement without a budget. */
  readonly id?: string;
  /** The name of the scene that measures it. */
  readonly scene: string;
  readonly what: string;
  readonly unit: "ms" | "MB" | "MB/s" | "KB" | "%" | "";
  readonly maximum?: number;
  readonly minimum?: number;
}

const FRAME = 17;
const LONG_TASK = 50;
/** Measured in addition to the heap, because the operating system counts more than the objects of a page. */
const RESIDENT = "resident memory of the process";

/** The measurements of a graph of `count` nodes. */
function graph(count: number, picture: number, frame: number, megabytes: number): Budget[] {
  const scene = `graph-${count}`;
  return [
    { id: "B-05", scene, what: "from response to drawn graph", unit: "ms", maximum: picture },
    { id: "B-05", scene, what: "longest task", unit: "ms", maximum: LONG_TASK },
    { id: "B-06", scene, what: "pan, frame p95", unit: "ms", maximum: frame },
    { id: "B-06", scene, what: "zoom, frame p95", unit: "ms", maximum: frame },
    { id: "B-07", scene, what: "memory of page and workers", unit: "MB", maximum: megabytes },
    { scene, what: RESIDENT, unit: "MB" },
    { scene, what: "longest task when switching views", unit: "ms" },
    { scene, what: "longest task of a search", unit: "ms" },
    { scene, what: "longest task when leaving the page", unit: "ms" },
  ];
}

function rows(scene: string): Budget[] {
  return [
    { id: "B-09", scene, what: "from response to drawn rows", unit: "ms", maximum: 500 },
    { id: "B-09", scene, what: "scroll, frame p95", unit: "ms", maximum: FRAME },
  ];
}

/**
 * All measurements, in the order of their scenes. The sizes of the page's files (B-01) have their budgets in
 * `sizes.ts`.
 */
export const BUDGETS: readonly Budget[] = [
  { id: "B-02", scene: "cold", what: "first contentful paint", unit: "ms", maximum: 250 },
  { id: "B-02", scene: "cold", what: "filter accepts input, 500 rows", unit: "ms", maximum: 500 },
  { id: "B-02", scene: "cold", what: "filter accepts input, processor 4 times slower", unit: "ms", maximum: 1200 },
  { scene: "cold", what: "transferred files", unit: "KB" },
  { id: "B-03", scene: "reload", what: "first row", unit: "ms", maximum: 150 },
  { id: "B-03", scene: "reload", what: "transferred files", unit: "KB", maximum: 0 },
  { id: "B-04", scene: "list", what: "longest task", unit: "ms", maximum: LONG_TASK },
  { id: "B-04", scene: "list", what: "frame p95", unit: "ms", maximum: FRAME },
  { id: "B-04", scene: "list", what: "growth of the heap", unit: "MB", maximum: 5 },
  ...graph(1_000, 300, FRAME, 60),
  ...graph(10_000, 1_000, FRAME, 150),
  ...graph(50_000, 3_000, 25, 500),
  { id: "B-08", scene: "changes", what: "time to draw a change, zoomed in", unit: "ms", maximum: 100 },
  { id: "B-08", scene: "changes", what: "time to draw a change, whole graph in view", unit: "ms", maximum: 100 },
  { id: "B-08", scene: "changes", what: "pan at 500 changes a second, frame p95", unit: "ms", maximum: FRAME },
  ...rows("tree"),
  ...rows("timeline"),
  { id: "B-10", scene: "log", what: "first line", unit: "ms", maximum: 300 },
  { id: "B-10", scene: "log", what: "indexing", unit: "MB/s", minimum: 40 },
  { id: "B-10", scene: "log", what: "jump to the end", unit: "ms", maximum: 100 },
  { id: "B-10", scene: "log", what: "search of all lines", unit: "ms", maximum: 1_000 },
  { id: "B-10", scene: "log", what: "memory of page and workers", unit: "MB", maximum: 250 },
  { scene: "log", what: RESIDENT, unit: "MB" },
  { scene: "log", what: "longest task", unit: "ms" },
  { id: "B-11", scene: "follow", what: "lines lost", unit: "", maximum: 0 },
  { id: "B-11", scene: "follow", what: "duplicate lines", unit: "", maximum: 0 },
  { id: "B-11", scene: "follow", what: "frame p95", unit: "ms", maximum: 25 },
  { id: "B-11", scene: "follow", what: "lag p95", unit: "ms", maximum: 250 },
  { scene: "follow", what: "lines in the page", unit: "" },
  { id: "B-12", scene: "editor", what: "lint of 2,000 lines", unit: "ms", maximum: 150 },
  { id: "B-12", scene: "editor", what: "processor time per key press, p95", unit: "ms", maximum: 16 },
  { id: "B-12", scene: "palette", what: "from key press to a found run of 10,000", unit: "ms", maximum: 50 },
  { id: "B-13", scene: "gone", what: "from server restart to correct list", unit: "ms", maximum: 2_000 },
  { id: "B-13", scene: "gone", what: "stale rows", unit: "", maximum: 0 },
  { id: "B-14", scene: "tabs", what: "tab 7, first contentful paint", unit: "ms", maximum: 250 },
  { id: "B-14", scene: "tabs", what: "tab 7, filter accepts input", unit: "ms", maximum: 500 },
  { id: "B-14", scene: "tabs", what: "tab 20, first contentful paint", unit: "ms", maximum: 250 },
  { id: "B-14", scene: "tabs", what: "tab 20, filter accepts input", unit: "ms", maximum: 500 },
  { id: "B-14", scene: "tabs", what: "streams of 20 tabs", unit: "", maximum: 1 },
  { id: "B-15", scene: "life", what: "change of the heap", unit: "%", maximum: 10 },
  { scene: "life", what: RESIDENT, unit: "MB" },
  { id: "B-15", scene: "life", what: "remaining streams", unit: "", maximum: 0 },
  { id: "B-15", scene: "life", what: "remaining workers", unit: "", maximum: 0 },
];

/** Whether a value is within its budget; undefined for a measurement without a budget. */
export function isWithinBudget(
  { maximum, minimum }: Pick<Budget, "maximum" | "minimum">,
  value: number,
): boolean | undefined {
  if (maximum === undefined && minimum === undefined) return undefined;
  return !(maximum !== undefined && !(value <= maximum)) && !(minimum !== undefined && !(value >= minimum));
}
