import { assertEquals, assertThrows } from "@std/assert";
import { type Growth, growthOf } from "./growth.ts";
import { UnreadableRegExp } from "./read_regexp.ts";

function growths(expressions: readonly RegExp[]): Growth[] {
  return expressions.map(growthOf);
}

Deno.test("growthOf() is linear where a text can be read in one way, or where what is tried again ends a match anyway", () => {
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

Deno.test("growthOf() is polynomial where a text can begin, or go on, at many places before it turns out not to match", () => {
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

Deno.test("growthOf() is exponential where a loop reads the same text in two ways", () => {
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

Deno.test("growthOf() does not judge references back and looks behind without end", () => {
  for (const expression of [/(a+)\1/, /(?<x>a)\k<x>/, /(?<=a*)b/]) {
    assertThrows(() => growthOf(expression), UnreadableRegExp);
  }
});
