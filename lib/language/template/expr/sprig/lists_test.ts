import { expectResults } from "../testing/run.ts";

Deno.test("lists: parts of a list are returned", () => {
  expectResults({
    "sprig.first([1, 2])": "1",
    "sprig.rest([1, 2])": "[2]",
    "sprig.last([1, 2])": "2",
    "sprig.initial([1, 2])": "[1]",
    "sprig.slice([1, 2, 3], 1, 2)": "[2]",
    "sprig.chunk(2, [1, 2, 3])": "[[1,2],[3]]",
    "sprig.first([])": "null",
    "sprig.mustFirst(1)": "!run: Cannot find first on type int",
  });
});

Deno.test("lists: append, prepend and reverse return new lists", () => {
  expectResults({
    "sprig.list(1, 'a')": '[1,"a"]',
    "sprig.tuple(1)": "[1]",
    "sprig.append([1], 2)": "[1,2]",
    "sprig.push([1], 2)": "[1,2]",
    "sprig.prepend([1], 0)": "[0,1]",
    "sprig.concat([1], [2], [3])": "[1,2,3]",
    "sprig.reverse([1, 2])": "[2,1]",
    "sprig.append(1, 2)": "!run: Cannot push on type int",
    "sprig.mustAppend([1], 2)": "[1,2]",
    "sprig.mustPush([1], 2)": "[1,2]",
    "sprig.mustPrepend([1], 0)": "[0,1]",
    "sprig.mustReverse([1, 2])": "[2,1]",
  });
});

Deno.test("lists: filters remove elements", () => {
  expectResults({
    "sprig.uniq([1, 1, 2])": "[1,2]",
    "sprig.without([1, 2, 3], 2)": "[1,3]",
    "sprig.has(2, [1, 2])": "true",
    "sprig.compact([0, 1, '', 'a'])": '[1,"a"]',
    "sprig.sortAlpha(['b', 'a'])": '["a","b"]',
    "sprig.mustUniq([1, 1])": "[1]",
    "sprig.mustWithout([1, 2], 1)": "[2]",
    "sprig.mustHas(1, [1])": "true",
    "sprig.mustCompact([0, 1])": "[1]",
    "sprig.mustSlice([1, 2], 1)": "[2]",
    "sprig.mustRest([1, 2])": "[2]",
    "sprig.mustInitial([1, 2])": "[1]",
    "sprig.mustLast([1, 2])": "2",
    "sprig.mustChunk(1, [1])": "[[1]]",
  });
});

Deno.test("split: returns a list or a numbered map, and join concatenates a list", () => {
  expectResults({
    "sprig.splitList(',', 'a,b')": '["a","b"]',
    "sprig.split('$', 'a$b')": '{"_0":"a","_1":"b"}',
    "sprig.splitn('$', 2, 'a$b$c')": '{"_0":"a","_1":"b$c"}',
    "sprig.join('-', [1, 'a'])": '"1-a"',
    "sprig.toStrings([1, true])": '["1","true"]',
  });
});

Deno.test("chunk: a negative width fails only if the number or length of the chunks would be negative", () => {
  expectResults({
    "sprig.chunk(-1, [1, 2])": "[]",
    "sprig.chunk(-2, [1])": "[[1]]",
    "sprig.chunk(-1, [1])": "!run: runtime error: makeslice: len out of range",
    "sprig.chunk(-1, [1, 2, 3])": "!run: runtime error: makeslice: len out of range",
    "sprig.chunk(0, [1])": "!run: runtime error: makeslice: len out of range",
  });
});
