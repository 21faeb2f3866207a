/** The task names in `depends`. Has no imports, so that pages that only draw edges stay small. */

/** Matches a task's result, or a bare task name. Every other word is treated as a task name too. */
export const TASK_REFERENCE = /([a-zA-Z0-9][-a-zA-Z0-9]*)(?:\.([A-Z][a-zA-Z]+))?/g;

/** The results of a task that `depends` can refer to. */
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

/** One reference to a task in `depends`. */
export interface TaskReference {
  readonly task: string;
  /** The result that is referred to; undefined for a bare name. */
  readonly result: string | undefined;
  /** The UTF-16 offset in `depends` at which it begins. */
  readonly offset: number;
}

/** Returns the references to tasks in `depends`, in text order. */
export function taskReferences(depends: string): TaskReference[] {
  return Array.from(
    depends.matchAll(TASK_REFERENCE),
    ({ 1: task = "", 2: result, index }) => ({ task, result, offset: index }),
  );
}
