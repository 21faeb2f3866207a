/** Everything a DAG task may refer to: all tasks before it. */
import { dependsLogic, type DependsTask } from "./depends.ts";

/**
 * All tasks a task depends on, directly or not, the ones that finished first in front, so that later values win.
 * `finishedAt` gives an RFC 3339 instant, or nothing for a task that has not finished; those come first.
 */
export function ancestryOf(
  tasks: readonly DependsTask[],
  name: string,
  finishedAt: (task: string) => string | undefined,
): string[] {
  const found = new Map<string, number>();
  // There is no recursion, as a chain of tasks may be very long. A task stands before those it depends on.
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
