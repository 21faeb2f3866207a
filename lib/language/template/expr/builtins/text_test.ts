import { expectResults } from "../testing/run.ts";

Deno.test("trim: removes blanks or a set of letters; trimPrefix and trimSuffix remove one affix", () => {
  expectResults({
    "trim('  a ')": '"a"',
    "trim('xxaxx', 'x')": '"a"',
    "trimPrefix('  a')": '" a"',
    "trimPrefix('aab', 'a')": '"ab"',
    "trimSuffix('a ')": '"a"',
    "trimSuffix('ab', 'b')": '"a"',
  });
});

Deno.test("upper and lower: change the case of letters", () => {
  expectResults({
    "upper('ß é')": '"ß É"',
    "lower('ÀB')": '"àb"',
  });
});

Deno.test("split: splits at a separator, up to a number of times", () => {
  expectResults({
    "split('a,b,c', ',')": '["a","b","c"]',
    "splitAfter('a,b', ',')": '["a,","b"]',
    "splitAfter('a,b,c', ',', 2)": '["a,","b,c"]',
    "split('é☃', '')": '["é","☃"]',
  });
});

Deno.test("replace and repeat: return the changed text", () => {
  expectResults({
    "replace('aaa', 'a', 'b')": '"bbb"',
    "replace('aaa', 'a', 'b', 2)": '"bba"',
    "repeat('ab', 2)": '"abab"',
    "repeat('a', -1)": "!run: invalid argument for repeat (expected positive integer, got -1)",
  });
});

Deno.test("join: needs texts", () => {
  expectResults({
    "join(['a', 'b'])": '"ab"',
    "join(['a', 'b'], '-')": '"a-b"',
    "join([1])": "!run: interface conversion: interface {} is int, not string",
  });
});

Deno.test("indexOf: counts positions in bytes", () => {
  expectResults({
    "indexOf('héy', 'y')": "3",
    "lastIndexOf('aa', 'a')": "1",
    "indexOf('a', 'x')": "-1",
    "hasPrefix('abc', 'ab')": "true",
    "hasSuffix('abc', 'bc')": "true",
  });
});

Deno.test("string and type: string prints like Go, type names the kind", () => {
  expectResults({
    "string(1e6)": '"1e+06"',
    "string([1, nil, 'a'])": '"[1 \\u003cnil\\u003e a]"',
    "string({b: 1, a: 2})": '"map[a:2 b:1]"',
    "string(nil)": '"\\u003cnil\\u003e"',
    "string(duration('90m'))": '"1h30m0s"',
    "type(1)": '"int"',
    "type(1.5)": '"float"',
    "type('a')": '"string"',
    "type(true)": '"bool"',
    "type(nil)": '"nil"',
    "type([])": '"array"',
    "type({})": '"map"',
    "type(len)": '"nil"',
    "type(duration('1s'))": '"time.Duration"',
    "type(now())": '"time.Time"',
  });
});
