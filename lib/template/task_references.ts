/** The mentions of tasks in `depends`: loads nothing, so that pages which only draw edges stay small. */

/** A task's result, or a bare task name. Whatever else looks like a word is taken for a task too. */
export const TASK_REFERENCE = /([a-zA-Z0-9][-a-zA-Z0-9]*)(?:\.([A-Z][a-zA-Z]+))?/g;

/** The results of a task that `depends` can ask for. */
export const TASK_RESULTS: readonly string[] = [
  "Succeeded",
  "Failed",
  "Errored",
  "Skipped",
  "Omitted",
  "Daemoned",
  "AnySucceeded",
  "AllFailed",
];

/** One mention of a task in `depends`. */
export interface TaskReference {
  readonly task: string;
  /** The result that is asked for; undefined for a bare name. */
  readonly result: string | undefined;
  /** The UTF-16 offset in `depends` at which it begins. */
  readonly offset: number;
}

/** Every mention of a task in `depends`, in its order. */
export function taskReferences(depends: string): TaskReference[] {
  return Array.from(
    depends.matchAll(TASK_REFERENCE),
    ({ 1: task = "", 2: result, index }) => ({ task, result, offset: index }),
  );
}
