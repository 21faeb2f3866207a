import { assertEquals } from "@std/assert";
import { parseChallenges } from "./challenge.ts";

const read = (header: string) =>
  parseChallenges(header).map(({ scheme, fields }) => [scheme, Object.fromEntries(fields)] as const);

const table: readonly (readonly [string, string, ReturnType<typeof read>])[] = [
  ["one", 'Bearer realm="https://a/token",service="a",scope="repository:x:pull,push"', [
    ["bearer", { realm: "https://a/token", service: "a", scope: "repository:x:pull,push" }],
  ]],
  ["several in one header", 'Basic realm="a", Bearer realm="https://b", service=b, Negotiate', [
    ["basic", { realm: "a" }],
    ["bearer", { realm: "https://b", service: "b" }],
    ["negotiate", {}],
  ]],
  ["quotes within quotes", 'BASIC Realm="say \\"hi\\""', [["basic", { realm: 'say "hi"' }]]],
  ["a scheme alone", "Negotiate", [["negotiate", {}]]],
  ["an invalid challenge", '"=,', []],
];

for (const [rule, header, expected] of table) {
  Deno.test(`parseChallenges: reads ${rule}`, () => assertEquals(read(header), expected));
}
