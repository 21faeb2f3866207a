import { assertEquals } from "@std/assert";
import { formatSuccessors, maxSuccessors, parseSuccessors, truncateSuccessors } from "./successors.ts";

const S = "semaphore n/ConfigMap/limits/s";
const M = "mutex n/Mutex/m";

/** Parses successors for locks with this number of holders. */
function read(text: string, places = 2): unknown[] {
  return parseSuccessors(text, () => places).map((
    { item, nodeId, position: place },
  ) => [item.type, item.key, nodeId, place]);
}

Deno.test("parseSuccessors: parses the text of formatSuccessors", () => {
  const text = formatSuccessors(new Map([[S, ["w-1", "w-2"]], [M, ["w-3"]]]));
  assertEquals(read(text), [
    ["semaphore", "n/ConfigMap/limits/s", "w-1", 0],
    ["semaphore", "n/ConfigMap/limits/s", "w-2", 1],
    ["mutex", "n/Mutex/m", "w-3", 0],
  ]);
  assertEquals([formatSuccessors(new Map()), read("")], ["", []]);
});

Deno.test("parseSuccessors: limits the successors by the number of holders, and returns none for a lock without holders", () => {
  const many = Array.from({ length: 1000 }, (_, index) => `w-${index}`);
  const text = JSON.stringify({ [S]: many });
  assertEquals([0, 1, 10, 1000].map((places) => read(text, places).length), [0, 3, 30, 128]);
  assertEquals([0, 1, 10, 1000].map(maxSuccessors), [0, 3, 30, 128]);
});

const NOBODY: Readonly<Record<string, string>> = {
  "is no JSON": "{",
  "is no object": "7",
  "is null": "null",
  "names no lock": '{"semaphore nothing":["w-1"],"other n/Mutex/m":["w-1"]}',
  "names a lock of another type": '{"semaphore n/Mutex/m":["w-1"]}',
  "names a lock of a database": '{"mutex n/Database/m":["w-1"]}',
  "has no list": '{"mutex n/Mutex/m":"w-1"}',
  "has other values": '{"mutex n/Mutex/m":[1,null,{}]}',
  "names the workflow itself": '{"mutex n/Mutex/m":[""]}',
  "is too long": JSON.stringify({ [M]: ["w".repeat(256 * 1024)] }),
};

for (const [what, text] of Object.entries(NOBODY)) {
  Deno.test(`parseSuccessors: a text that ${what} names no successors`, () => assertEquals(read(text), []));
}

Deno.test("parseSuccessors: a node that is named twice is a successor once", () => {
  assertEquals(read(JSON.stringify({ [S]: ["w-1", "w-1"], [M]: ["w-1"] })).length, 1);
});

Deno.test("truncateSuccessors: successors of many locks, or with long names, are shortened to fit into an annotation", () => {
  const few = new Map([[S, ["w-1", "w-2"]], [M, ["w-3"]]]);
  assertEquals([...truncateSuccessors(few)], [...few]);
  const many = new Map(
    Array.from({ length: 1000 }, (_, lock) => [`mutex n/Mutex/m-${lock}`, ["w".repeat(200), "w-2"]]),
  );
  const long = new Map([[S, Array.from({ length: 128 }, (_, index) => `${index}-${'"'.repeat(200)}`)]]);
  for (const successors of [many, long]) {
    const shortened = truncateSuccessors(successors);
    const text = formatSuccessors(shortened);
    assertEquals([text.length > 15 * 1024, text.length <= 16 * 1024], [true, true]);
    assertEquals(parseSuccessors(text, () => 100).length > 0, true);
    for (const [id, nodeIds] of shortened) assertEquals(nodeIds, successors.get(id)!.slice(0, nodeIds.length));
  }
});
