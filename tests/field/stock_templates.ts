/** Templates that every workflow of a report has, unless it has its own of that name. */
import type { Answers } from "./field_report.ts";

const TEMPLATES: Readonly<Record<string, string>> = {
  ok: `
  - { name: ok, container: { image: alpine, command: ["true"] } }`,
  bad: `
  - { name: bad, container: { image: alpine, command: ["false"] } }`,
  show: `
  - name: show
    inputs: { parameters: [{ name: m }] }
    container: { image: alpine, command: [echo, "{{inputs.parameters.m}}"] }`,
  print: `
  - { name: print, script: { image: alpine, command: [sh], source: echo } }`,
  make: `
  - name: make
    outputs: { parameters: [{ name: out, valueFrom: { path: /out } }] }
    container: { image: alpine, command: ["true"] }`,
};

const ANSWERS: Answers = {
  bad: { exitCode: 1 },
  print: { result: "printed" },
  make: { parameters: { out: "made" } },
};

/** The templates that some YAML does not have, as YAML, and their answers. */
export function stockTemplatesFor(yaml: string): { readonly templates: string; readonly answers: Answers } {
  const own = new Set(yaml.matchAll(/^ {2}- (?:\{ )?name: ([\w-]+)/gm).map(([, name]) => name));
  const names = Object.keys(TEMPLATES).filter((name) => !own.has(name));
  return {
    templates: names.map((name) => TEMPLATES[name]).join(""),
    answers: Object.fromEntries(names.flatMap((name) => ANSWERS[name] ? [[name, ANSWERS[name]]] : [])),
  };
}
