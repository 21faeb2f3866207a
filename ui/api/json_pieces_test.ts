import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseInPieces, readJson } from "./json_pieces.ts";

/** The value, and the number of pauses. */
function read(text: string, piece: number): { readonly value: unknown; readonly rests: number } {
  const work = parseInPieces(text, piece);
  for (let rests = 0;; rests++) {
    const { done, value } = work.next();
    if (done) return { value, rests };
  }
}

Deno.test("parseInPieces: equals JSON.parse for any piece size", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 1, max: 64 }), fc.boolean(), (json, piece, wide) => {
      // Adds blanks between tokens and inside strings.
      const text = wide ? json.replaceAll(/([[\]{},])/g, "   $1      ") : json;
      assertEquals(read(text, piece).value, JSON.parse(text));
    }),
  );
});

Deno.test("parseInPieces: refuses invalid JSON for any piece size", () => {
  const broken = fc.tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom("", ",", "}", "]", '"', "x", "\\", ":"));
  fc.assert(
    fc.property(broken, fc.integer({ min: 1, max: 32 }), ([json, offset, change], piece) => {
      const place = offset % (json.length + 1);
      const text = json.slice(0, place) + change + json.slice(place + 1);
      let expected: unknown;
      let isJson = true;
      try {
        expected = JSON.parse(text);
      } catch {
        isJson = false;
      }
      try {
        assertEquals(read(text, piece).value, expected);
      } catch (error) {
        assert(error instanceof SyntaxError && !isJson, `${text}: ${error}`);
        return;
      }
      assert(isJson, text);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("parseInPieces: pauses in a large text, and reads a member named like a prototype", () => {
  const nodes = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`n${i}`, { id: `n${i}`, text: 'a "b" \\' }]));
  const text = JSON.stringify({ status: { nodes }, list: Object.values(nodes) }).replace('"n1":', '"__proto__":');
  const { value, rests } = read(text, 256);
  assertEquals(value, JSON.parse(text));
  assert(Object.hasOwn((value as { status: { nodes: object } }).status.nodes, "__proto__"));
  assert(rests > text.length / 512, `${rests} rests in ${text.length} characters`);
});

Deno.test("parseInPieces: reads a text that is nested deeper than any run", async () => {
  const deep = "[".repeat(5_000) + '"x"' + "]".repeat(5_000);
  assertEquals(JSON.stringify(read(deep, 8).value), deep);
  assertEquals(await readJson('{"a":[1,2]}'), { a: [1, 2] });
});
