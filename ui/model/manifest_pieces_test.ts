import { assertEquals } from "@std/assert";
import { parse, stringify } from "yaml";
import { manifestPieces } from "./manifest_pieces.ts";

const write = (value: unknown) => stringify(value, { aliasDuplicateObjects: false });

const TEXTS = ["a\n\n b\n", "  leading", "trailing  ", "\n", "é: #", "x".repeat(300), "a\u2028b", "- {", "1", ""];

Deno.test("manifestPieces: the pieces are one document that is equivalent to the run", () => {
  const nodes = Object.fromEntries(
    TEXTS.map((
      message,
      index,
    ) => [`run-${index}`, {
      id: `run-${index}`,
      message,
      children: [],
      outputs: { parameters: [{ value: message }] },
    }]),
  );
  const metadata = { name: "run", annotations: { text: TEXTS[0] } };
  for (
    const run of [
      { kind: "Workflow", metadata, spec: { entrypoint: "a" }, status: { phase: "Running", nodes, message: TEXTS[0] } },
      { kind: "Workflow", metadata, status: { nodes } },
      { status: { nodes: { [TEXTS[7]!]: { id: "odd" } } } },
      { metadata, status: { phase: "Failed" } },
      { metadata, status: { nodes: {} } },
      { metadata, status: { nodes: null } },
      { metadata, status: null },
      { metadata },
      {},
    ]
  ) {
    assertEquals<unknown>(parse([...manifestPieces(run, write)].join("")), run);
  }
});

Deno.test("manifestPieces: each node is a separate piece, so that other work can run in between", () => {
  const nodes = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`n-${index}`, { id: `n-${index}` }]));
  assertEquals([...manifestPieces({ metadata: {}, status: { phase: "Running", nodes } }, write)].length, 104);
});
