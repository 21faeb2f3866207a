/**
 * The cost of filling in a template of 20 parameters: `deno task bench micro lib/language/template/replace_bench.ts`.
 */
import { replaceTags } from "./replace.ts";

const MODE = { kind: "all" } as const;
const scope = parameters("value");
const otherScope = parameters("another value");

function parameters(value: string): Map<string, string> {
  const names = Array.from({ length: 20 }, (_, index) => [`inputs.parameters.p${index}`, `${value} ${index}`] as const);
  return new Map([["workflow.name", "bench"], ...names]);
}

/** A container template. Different suffixes result in texts that are not cached. */
function template(argument: (index: number) => string, suffix = "") {
  const args = Array.from({ length: 20 }, (_, index) => argument(index) + suffix);
  return {
    name: "t",
    inputs: { parameters: [{ name: "p" }] },
    container: { image: "alpine", command: ["echo"], args },
  };
}

const simple = (index: number) => `--p${index}={{inputs.parameters.p${index}}}`;
const expression = (index: number) => `{{=upper(inputs.parameters.p${index}) + '!'}}`;
const mixed = (index: number) => index % 2 === 0 ? simple(index) : expression(index);

const simpleTemplate = template(simple);
const expressionTemplate = template(expression);
const mixedTemplate = template(mixed);
const plainTemplate = template((index) => `plain argument ${index}`);

let turn = 0;
Deno.bench("first time: 10 simple tags and 10 expressions, never seen", { group: "first" }, (bench) => {
  turn++;
  const fresh = template(
    (index) => index % 2 === 0 ? simple(index) : `{{=upper(inputs.parameters.p${index}) + '${turn}'}}`,
    ` ${turn}`,
  );
  bench.start();
  replaceTags(fresh, scope, MODE);
  bench.end();
});
Deno.bench("first time: 20 simple tags, never seen", { group: "first" }, (bench) => {
  const fresh = template(simple, ` ${++turn}`);
  bench.start();
  replaceTags(fresh, scope, MODE);
  bench.end();
});

Deno.bench("again: 10 simple tags and 10 expressions", { group: "again" }, () => {
  replaceTags(mixedTemplate, scope, MODE);
});
Deno.bench("again, with other values: 10 simple tags and 10 expressions", { group: "again" }, () => {
  replaceTags(mixedTemplate, turn++ % 2 === 0 ? scope : otherScope, MODE);
});
Deno.bench("again, in a new object of the same texts", { group: "again" }, () => {
  replaceTags({ ...mixedTemplate, container: { ...mixedTemplate.container } }, scope, MODE);
});
Deno.bench("again: 20 simple tags", { group: "again" }, () => {
  replaceTags(simpleTemplate, scope, MODE);
});
Deno.bench("again: 20 expressions", { group: "again" }, () => {
  replaceTags(expressionTemplate, scope, MODE);
});
Deno.bench("again: no tags at all", { group: "again" }, () => {
  replaceTags(plainTemplate, scope, MODE);
});
