import { expectResults } from "../testing/run.ts";

Deno.test("maps: are made from pairs and read by key", () => {
  expectResults({
    "sprig.dict('a', 1, 'b')": '{"a":1,"b":""}',
    "sprig.get({a: 1}, 'a')": "1",
    "sprig.get({a: 1}, 'b')": '""',
    "sprig.hasKey({a: 1}, 'a')": "true",
    "sprig.dig('a', 'b', 'd', {a: {b: 1}})": "1",
    "sprig.dig('x', 'd', {a: 1})": '"d"',
    "sprig.pluck('a', {a: 1}, {a: 2}, {b: 3})": "[1,2]",
  });
});

Deno.test("maps: parts of a map are returned and listed", () => {
  expectResults({
    "sprig.pick({a: 1, b: 2}, 'a')": '{"a":1}',
    "sprig.omit({a: 1, b: 2}, 'a')": '{"b":2}',
    "sprig.keys({a: 1})": '["a"]',
    "sprig.values({a: 1})": "[1]",
    "sprig.unset(sprig.dict('a', 1, 'b', 2), 'a')": '{"b":2}',
  });
});

Deno.test("merge: keeps the first value, mergeOverwrite the last", () => {
  expectResults({
    "sprig.merge({a: 1}, {a: 2, b: 3})": '{"a":1,"b":3}',
    "sprig.mergeOverwrite({a: 1}, {a: 2, b: 3})": '{"a":2,"b":3}',
    "sprig.mustMerge({a: 1}, {a: 2})": '{"a":1}',
    "sprig.mustMergeOverwrite({a: 1}, {a: 2})": '{"a":2}',
    "sprig.deepCopy({a: [1]})": '{"a":[1]}',
    "sprig.mustDeepCopy([1])": "[1]",
  });
});
