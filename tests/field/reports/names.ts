/** Reports about names of templates and references to them. */
import type { FieldReport } from "../field_report.ts";

/** Reports about names of templates and references to them. */
export const NAMES: readonly FieldReport[] = [
  {
    issues: [13773],
    behavior: "templateRef: a name from an input is resolved at any depth, with the outputs of its template",
    argo: "refuses the workflow below the first level",
    objects: [
      `
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: { name: leaf }
spec:
  templates:
  - name: main
    inputs: { parameters: [{ name: p }] }
    outputs: { parameters: [{ name: out, valueFrom: { path: /out } }] }
    container: { image: alpine, command: [echo, "leaf {{inputs.parameters.p}}"] }`,
      `
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: { name: mid }
spec:
  templates:
  - name: main
    inputs: { parameters: [{ name: ref }, { name: p }] }
    dag:
      tasks:
      - name: ext
        templateRef: { name: "{{inputs.parameters.ref}}", template: main }
        arguments: { parameters: [{ name: p, value: "{{inputs.parameters.p}}" }] }
      - name: after
        depends: ext
        template: show
        arguments: { parameters: [{ name: m, value: "{{tasks.ext.outputs.parameters.out}}" }] }
  - name: show
    inputs: { parameters: [{ name: m }] }
    container: { image: alpine, command: [echo, "{{inputs.parameters.m}}"] }`,
    ],
    workflow: `
  - name: main
    dag:
      tasks:
      - name: mid
        templateRef: { name: mid, template: main }
        arguments: { parameters: [{ name: ref, value: leaf }, { name: p, value: hey }] }`,
    answers: { "leaf/main": { parameters: { out: "from leaf" } } },
    expected: {
      phase: "Succeeded",
      runs: { "leaf/main": ["echo leaf hey"], "mid/show": ["echo from leaf"] },
    },
  },
  {
    issues: [9670, 10792],
    behavior: "template name with capital letters: the name of its pod is in lower case",
    argo: "the API server refuses the pod",
    workflow: `
  - name: main
    dag: { tasks: [{ name: A, template: StepA }] }
  - name: StepA
    container: { image: alpine, command: [echo, "{{pod.name}}"] }`,
    expected: { phase: "Succeeded", runs: { StepA: ["echo w-stepa-3964071339"] } },
  },
];
