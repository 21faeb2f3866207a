/** Returns the first cycle of a graph as `a->b->a`; undefined for an acyclic graph. Unknown names are ignored. */
export function findCycle(nodes: readonly string[], next: (node: string) => readonly string[]): string | undefined {
  const known = new Set(nodes);
  const done = new Set<string>();
  // The current path with the remaining neighbors of each node: an explicit stack, since the path may be long.
  const trail = new Map<string, IterableIterator<string>>();
  const path: string[] = [];
  const enter = (node: string): string | undefined => {
    if (trail.has(node)) return [...path.slice(path.indexOf(node)), node].join("->");
    if (done.has(node) || !known.has(node)) return undefined;
    trail.set(node, next(node).values());
    path.push(node);
  };
  for (const node of nodes) {
    let cycle = enter(node);
    while (cycle === undefined && path.length > 0) {
      const current = path.at(-1)!;
      const following = trail.get(current)!.next();
      if (!following.done) cycle = enter(following.value);
      else {
        path.pop();
        trail.delete(current);
        done.add(current);
      }
    }
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
