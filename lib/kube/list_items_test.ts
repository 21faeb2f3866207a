import { assertEquals, assertRejects } from "@std/assert";
import { readListItems } from "./list_items.ts";

/** Reads a text in parts of `size` bytes, and returns the list and its items. */
async function read(text: string, size = 1 << 20) {
  const bytes = new TextEncoder().encode(text);
  const items: unknown[] = [];
  const list = await readListItems(
    (async function* () {
      // All parts share one buffer, as on a connection: bytes of a part must not be kept after the next one was read.
      const part = new Uint8Array(size);
      for (let offset = 0; offset < bytes.length; offset += size) {
        const piece = bytes.subarray(offset, offset + size);
        part.fill(0x22).set(piece);
        yield part.subarray(0, piece.length);
      }
    })(),
    (item) => items.push(item),
  );
  return { list: list as unknown, items };
}

const ODD = [
  { a: 'quotes " and \\ and \\" and ] } , [ {', "items": [{ b: [] }, []] },
  { "\\": "\\\\", "ü€😀": "ü€😀\u0000\n", n: [1, -2.5e3, null, true, false] },
  {},
];
const LIST = { kind: "PodList", metadata: { continue: 'x"items":[', resourceVersion: "7", labels: { items: "1" } } };

for (const indent of [undefined, 2]) {
  Deno.test(`readListItems(): extracts the items of a list, no matter where its bytes are split: indent ${indent}`, async () => {
    for (const whole of [{ ...LIST, items: ODD }, { items: ODD, ...LIST }, { ...LIST, items: [] }]) {
      const text = JSON.stringify(whole, null, indent);
      for (let size = 1; size < 40; size++) {
        assertEquals(await read(text, size), { list: { ...LIST, items: [] }, items: whole.items });
      }
      assertEquals((await read(text)).items, whole.items);
    }
  });
}

Deno.test("readListItems(): accepts a list without items, as Go writes it, and lists with other names", async () => {
  assertEquals(
    await read('{"metadata":{},"items":null}'),
    { list: { metadata: {}, items: null }, items: [] } as unknown,
  );
  const others = { '"items': [{}], other: [{ items: [{}] }], metadata: {} };
  assertEquals(await read(JSON.stringify(others)), { list: others, items: [] });
});

Deno.test("readListItems(): throws for a truncated list and for other JSON", async () => {
  const text = JSON.stringify({ ...LIST, items: ODD });
  for (let length = 0; length < text.length; length++) {
    await assertRejects(() => read(text.slice(0, length), 16), SyntaxError);
  }
  await assertRejects(() => read('{"items":[{"a":}]}'), SyntaxError);
});
