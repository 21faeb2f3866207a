/** Serializes manifests of runs as YAML in pieces, because a large run takes seconds. */

/** Serializes a value as a YAML document. */
export type WriteYaml = (value: unknown) => string;

/** Yields the pieces of a run's YAML document: everything but the nodes of its status, then each node in order. */
export function* manifestPieces(
  { status, ...rest }: Readonly<Record<string, unknown>>,
  write: WriteYaml,
): Generator<string> {
  const nodes = mappingOf(mappingOf(status)?.nodes);
  if (!nodes || Object.keys(nodes).length === 0) {
    yield write(status === undefined ? rest : { ...rest, status });
    return;
  }
  const { nodes: _nodes, ...told } = status as Record<string, unknown>;
  if (Object.keys(rest).length > 0) yield write(rest);
  yield "status:\n";
  if (Object.keys(told).length > 0) yield indentDocument(write(told), 2);
  yield "  nodes:\n";
  for (const [id, node] of Object.entries(nodes)) yield indentDocument(write({ [id]: node }), 4);
}

function mappingOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : undefined;
}

/** Indents a document by some blanks. Empty lines stay empty, because texts in it may contain them. */
function indentDocument(yaml: string, by: number): string {
  return yaml.split("\n").map((line) => line === "" ? line : " ".repeat(by) + line).join("\n");
}
