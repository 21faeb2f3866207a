/** Finds the functions in which most of the time of a V8 profile was spent. */

/** The used fields of a profile. */
interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** Formats the share of each function, for itself and including its callees. Idle time is excluded. */
export function summaryOf(text: string, limit = 45): string {
  const { nodes, samples, timeDeltas } = JSON.parse(text) as Profile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const own = new Map<number, number>();
  samples.forEach((id, index) => own.set(id, (own.get(id) ?? 0) + (timeDeltas[index] ?? 0)));
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  let all = 0;
  const walk = (node: ProfileNode, above: ReadonlySet<string>): number => {
    const name = nameOf(node);
    const inside = new Set(above).add(name);
    const mine = isIdle(node) ? 0 : own.get(node.id) ?? 0;
    all += mine;
    self.set(name, (self.get(name) ?? 0) + mine);
    let sum = mine;
    for (const child of node.children ?? []) sum += walk(byId.get(child)!, inside);
    if (!above.has(name)) total.set(name, (total.get(name) ?? 0) + sum);
    return sum;
  };
  if (nodes[0]) walk(nodes[0], new Set());
  const list = (title: string, times: ReadonlyMap<string, number>) => [
    title,
    ...[...times].sort(([, a], [, b]) => b - a).slice(0, limit).map(([name, time]) =>
      `${(100 * time / all).toFixed(1).padStart(6)} %  ${name}`
    ),
  ];
  return [`${(all / 1e6).toFixed(2)} s`, ...list("in itself:", self), ...list("with what it calls:", total)].join("\n");
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const file = url.slice(url.lastIndexOf("/") + 1);
  return `${functionName || "(anonymous)"} ${file}${lineNumber >= 0 ? `:${lineNumber + 1}` : ""}`;
}

function isIdle({ callFrame: { functionName } }: ProfileNode): boolean {
  return functionName === "(idle)";
}
