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
  const visit = (task: string) => {
    for (const dependency of dependsLogic(tasks, task).dependencies) {
      if (dependency === name || found.has(dependency)) continue;
      found.set(dependency, Date.parse(finishedAt(dependency) || "0001-01-01T00:00:00Z"));
      visit(dependency);
    }
  };
  visit(name);
  return [...found].sort(([, a], [, b]) => a - b).map(([task]) => task);
}
