import { assertEquals, assertThrows } from "@std/assert";
import { type Growth, growthOf } from "./growth.ts";
import { UnreadableRegExp } from "./read_regexp.ts";

function growths(expressions: readonly RegExp[]): Growth[] {
  return expressions.map(growthOf);
}

Deno.test("growthOf: linear if each text matches in one way, or if every retried part may end a match", () => {
  const linear = [
    /^a+$/,
    /a+/,
    /^\s*$/,
    /a+|b/g,
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
    /^(\d+(\.\d+)?(ms|[smh]))+$/,
    /"(?:[^"\\]|\\.)*"/y,
    /^([^=]+)=(.*)$/s,
    /:[0-9]*$/,
    /^0::(.*)$/m,
    /[0-9]{300}/,
    /(?<!\\),/,
    /^\{\{.*\}\}$/s,
    /\p{L}[\p{L}\p{Nd}]*/u,
    /^(?:\s*(?:\/\*[^]*?\*\/|\/\/[^\n]*))*/,
    /a(?:.*c)?/,
    /[[a-z]--[aeiou]]+/v,
  ];
  assertEquals(growths(linear), linear.map(() => "linear"));
});

Deno.test("growthOf: polynomial if a failing match can start, or continue, at many places of a text", () => {
  const polynomial = [
    /a+b/,
    /\s+$/,
    /^(.*),(.*)$/,
    /^a*a*$/,
    /\(.*$/,
    /a+b|a/g,
    /a(?:.*c)?/g,
    /\{\{\s*=\s*.+?\s*\}\}/,
    /(?=.*x)y/,
    /^0x([0-9a-f]*)\.?([0-9a-f]*)p$/i,
    /^\s*(?:x\s*)?\s*y/,
  ];
  assertEquals(growths(polynomial), polynomial.map(() => "polynomial"));
});

Deno.test("growthOf: exponential if a loop reads the same text in two ways", () => {
  const exponential = [
    /^(a+)+$/,
    /^(a|a)*$/,
    /^(a*)*$/,
    /^(a|ab|b)*c/,
    /^[+-]?(0+(\.0*)?[a-zµ]*)+$/,
    /^(a?){40}$/,
    /^(\s*,?\s*)*x/,
    /^(?:é|\p{L})*$/u,
    /^(A|a)*b/i,
  ];
  assertEquals(growths(exponential), exponential.map(() => "exponential"));
});

Deno.test("growthOf: does not analyze backreferences and endless lookbehinds", () => {
  for (const expression of [/(a+)\1/, /(?<x>a)\k<x>/, /(?<=a*)b/]) {
    assertThrows(() => growthOf(expression), UnreadableRegExp);
  }
});
