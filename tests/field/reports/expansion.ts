/** Reports about tags in the author's text and in values. */
import type { FieldReport } from "../field_report.ts";

/** Reports about tags in the author's text and in values. */
export const EXPANSION: readonly FieldReport[] = [
  {
    issues: [],
    behavior: "input: a value that refers to the input itself takes its default",
    argo: "prints the text of the tag",
    workflow: `
  - name: main
    inputs: { parameters: [{ name: m, value: "{{inputs.parameters.m}}", default: given }] }
    steps:
    - - { name: value, template: value }
      - { name: argument, template: value, arguments: { parameters: [{ name: v, value: "{{inputs.parameters.m}}!" }] } }
  - name: value
    inputs: { parameters: [{ name: v, value: "<{{ inputs.parameters.v }}>", default: usual }] }
    container: { image: alpine, command: [echo, "{{inputs.parameters.v}}"] }`,
    expected: { phase: "Succeeded", runs: { value: ["echo <usual>", "echo given!"] } },
  },
  {
    issues: [],
    behavior: "input: a default that refers to an input with such a default has the final value",
    argo: "prints the text of a tag",
    workflow: `
  - name: main
    steps: [[{ name: chain, template: chain, arguments: { parameters: [{ name: host, value: example.org }] } }]]
  - name: chain
    inputs:
      parameters:
      - { name: file, value: "{{inputs.parameters.base}}/data.csv" }
      - { name: base, value: "https://{{inputs.parameters.host}}" }
      - { name: host, value: localhost }
    container: { image: alpine, command: [get, "{{inputs.parameters.file}}"] }`,
    expected: { phase: "Succeeded", runs: { chain: ["get https://example.org/data.csv"] } },
  },
  {
    issues: [15832],
    behavior: "input: a value that is an expression over another input is evaluated before when and withParam",
    workflow: `
  - name: main
    inputs:
      parameters:
      - { name: mode, value: always }
      - { name: list, value: "{{=toJson([inputs.parameters.mode, 'test'])}}" }
      - { name: runs, value: "{{=inputs.parameters.mode == 'always'}}" }
    steps:
    - - name: each
        template: show
        when: "{{inputs.parameters.runs}}"
        withParam: "{{inputs.parameters.list}}"
        arguments: { parameters: [{ name: m, value: "{{item}}" }] }`,
    expected: { phase: "Succeeded", inputs: { show: [{ m: "always" }, { m: "test" }] } },
  },
  {
    issues: [],
    behavior: "value: a tag that a step printed is data in arguments, loops and hooks",
    argo: "fills it in",
    workflow: `
  - name: main
    steps:
    - - { name: print, template: print }
    - - name: each
        template: show
        withParam: "{{steps.print.outputs.result}}"
        arguments: { parameters: [{ name: m, value: "{{item}}" }] }
        hooks: { exit: { template: show, arguments: { parameters: [{ name: m, value: "hook {{item}}" }] } } }`,
    answers: { print: { result: ["{{workflow.name}}"] } },
    expected: {
      phase: "Succeeded",
      inputs: { show: [{ m: "{{workflow.name}}" }, { m: "hook {{workflow.name}}" }] },
    },
  },
  {
    issues: [],
    behavior: "argument of the workflow: a tag of an item outside of a loop stays in the text, in calls and hooks",
    workflow: `
  - name: main
    inputs: { parameters: [{ name: m }] }
    steps:
    - - name: a
        template: show
        arguments: { parameters: [{ name: m, value: "a {{inputs.parameters.m}}" }] }
        hooks:
          exit: { template: show, arguments: { parameters: [{ name: m, value: "exit {{inputs.parameters.m}}" }] } }
          done:
            expression: steps.a.status == "Succeeded"
            template: show
            arguments: { parameters: [{ name: m, value: "done {{workflow.parameters.m}}" }] }
    - - { name: b, template: dag }
  - name: dag
    dag: { tasks: [{ name: c, template: ok, onExit: show }] }`,
    spec: "arguments: { parameters: [{ name: m, value: '<{{item}}>' }] }",
    expected: {
      phase: "Succeeded",
      inputs: { show: ["a ", "done ", "exit ", ""].map((from) => ({ m: `${from}<{{item}}>` })) },
    },
  },
];
