/** The tasks that a DAG task may refer to: all tasks before it. */
import { dependsLogic, type DependsTask } from "./depends.ts";

/**
 * Returns all tasks that a task depends on, directly or not, ordered by finish time, so that later values win.
 * `finishedAt` returns an RFC 3339 time, or undefined for a task that has not finished; those tasks come first.
 */
export function ancestryOf(
  tasks: readonly DependsTask[],
  name: string,
  finishedAt: (task: string) => string | undefined,
): string[] {
  const found = new Map<string, number>();
  // Iterative, because a chain of tasks may be long enough to overflow the stack. A task precedes its dependencies.
  const path = [dependsLogic(tasks, name).dependencies.values()];
  while (path.length) {
    const next = path.at(-1)!.next();
    if (next.done) path.pop();
    else if (next.value !== name && !found.has(next.value)) {
      found.set(next.value, Date.parse(finishedAt(next.value) || "0001-01-01T00:00:00Z"));
      path.push(dependsLogic(tasks, next.value).dependencies.values());
    }
  }
  return [...found].sort(([, a], [, b]) => a - b).map(([task]) => task);
}
