/** The first cycle of a graph as `a->b->a`, or undefined when there is none. Names that are no nodes are ignored. */
export function findCycle(nodes: readonly string[], next: (node: string) => readonly string[]): string | undefined {
  const known = new Set(nodes);
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): string | undefined => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node].join("->");
    if (done.has(node) || !known.has(node)) return undefined;
    for (const following of next(node)) {
      const cycle = visit(following, [...trail, node]);
      if (cycle !== undefined) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of nodes) {
    const cycle = visit(node, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
