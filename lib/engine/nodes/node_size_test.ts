import { assertEquals } from "@std/assert";
import type { NodeStatus } from "@tiphys/model/api";
import { fieldsSize, nodeSize } from "./node_size.ts";

const NODE: NodeStatus = { id: "w-1", name: "w", type: "Pod", phase: "Running" };

/** Reports whether an estimate is within a fifth of the real size. */
function isCloseTo(estimate: number, value: unknown): boolean {
  const size = JSON.stringify(value).length;
  return estimate > size * 0.8 && estimate < size * 1.2;
}

Deno.test("fieldsSize: is close to the length of the JSON, for many small values, few long ones, and artifacts", () => {
  const numbers = Array.from({ length: 50 }, (_, index) => String(index));
  const fields: NonNullable<NodeStatus["outputs"]>[] = [
    { parameters: numbers.map((number) => ({ name: `p${number}`, value: number })) },
    { parameters: [{ name: "p", value: "x".repeat(10_000) }], result: "y".repeat(5000), exitCode: "0" },
    {
      artifacts: numbers.map((number) => ({
        name: `artifact-${number}`,
        path: `/tmp/${number}`,
        s3: { key: `some/where/${number}`, bucket: "bucket", endpoint: "s3.example.com" },
      })),
    },
  ];
  for (const field of fields) {
    assertEquals([fieldsSize(field), isCloseTo(fieldsSize(field), field)], [fieldsSize(field), true]);
  }
  assertEquals(fieldsSize(undefined), 0);
});

Deno.test("nodeSize: grows with the name, the message, the fields, and the children of a node", () => {
  const plain = nodeSize(NODE);
  const inputs = { parameters: [{ name: "p", value: "x".repeat(100) }] };
  const more = (change: Partial<NodeStatus>) => nodeSize({ ...NODE, ...change }) - plain;
  assertEquals(
    [
      more({ name: "w".repeat(11) }),
      more({ message: "x".repeat(70) }),
      more({ inputs, outputs: inputs }),
      more({ children: ["a", "b"], outboundNodes: ["c"] }),
    ],
    [20, 70, 2 * fieldsSize(inputs), 90],
  );
});
