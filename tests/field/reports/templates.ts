/** Reports about templates of other objects, inline templates and defaults of templates. */
import type { FieldReport } from "../field_report.ts";

/** A WorkflowTemplate whose template `run` has some metadata, and whose pods have some. */
const labelled = (metadata: string) => `
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: { name: t }
spec:
  podMetadata: { labels: { both: workflow, pods: workflow }, annotations: { both: workflow, pods: workflow } }
  templates:
  - name: run
    ${metadata}
    container: { image: alpine, command: ["true"] }`;

/** A workflow that only refers to the WorkflowTemplate `t`. */
const REFERRING = `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: w }
spec: { workflowTemplateRef: { name: t } }`;

/** Reports about templates of other objects, inline templates and defaults of templates. */
export const TEMPLATES: readonly FieldReport[] = [
  {
    issues: [15870, 12945],
    behavior: "templateRef: podMetadata of its WorkflowTemplate applies, and metadata of the template counts more",
    objects: [labelled("metadata: { labels: { both: template, own: template }, annotations: { both: template } }")],
    workflow: `
  - { name: main, steps: [[{ name: a, templateRef: { name: t, template: run } }]] }`,
    expected: {
      phase: "Succeeded",
      pods: {
        run: [{
          metadata: {
            labels: { both: "template", own: "template", pods: "workflow" },
            annotations: { both: "template", pods: "workflow" },
          },
        }],
      },
    },
  },
  {
    issues: [14968],
    behavior: "templateRef: podMetadata of its WorkflowTemplate applies to a template without metadata",
    objects: [labelled("activeDeadlineSeconds: 5")],
    workflow: `
  - { name: main, steps: [[{ name: a, templateRef: { name: t, template: run } }]] }`,
    expected: { phase: "Succeeded", pods: { run: [{ metadata: { labels: { both: "workflow" } } }] } },
  },
  {
    issues: [14899],
    behavior: "templateDefaults: fields of another type of template are left out",
    spec: `templateDefaults: { container: { imagePullPolicy: Never }, retryStrategy: { limit: 1 } }`,
    workflow: `
  - name: main
    steps:
    - - { name: call, template: call }
      - { name: wait, template: wait }
      - { name: run, template: run }
      - { name: code, template: code }
  - { name: call, http: { url: "http://example.com" } }
  - { name: wait, suspend: { duration: "1" } }
  - { name: run, container: { image: alpine, command: ["true"] } }
  - { name: code, script: { image: alpine, command: [sh], source: "true" } }`,
    expected: {
      phase: "Succeeded",
      nodes: { call: "Succeeded", "run(0)": "Succeeded" },
    },
  },
  {
    issues: [13691, 12821],
    behavior: "templateDefaults: apply to templates that a DAG and a templateRef call",
    objects: [labelled("activeDeadlineSeconds: 5")],
    spec: "templateDefaults: { retryStrategy: { limit: 1 } }",
    workflow: `
  - name: main
    retryStrategy: { limit: 0 }
    dag:
      tasks:
      - { name: a, template: bad }
      - { name: b, templateRef: { name: t, template: run } }`,
    answers: { run: { exitCode: 1 } },
    expected: { phase: "Failed", calls: { bad: 2, run: 2 } },
  },
  {
    issues: [12670],
    behavior: "workflowTemplateRef: the workflow has a label with the name of its template",
    objects: [`${labelled("activeDeadlineSeconds: 5")}\n  entrypoint: run`],
    workflow: REFERRING,
    expected: {
      phase: "Succeeded",
      workflow: { metadata: { labels: { "workflows.argoproj.io/workflow-template": "t" } } },
    },
  },
  {
    issues: [13122],
    behavior: "workflowDefaults: podSpecPatch applies to a workflow over a template",
    defaults: 'spec: { podSpecPatch: "{terminationGracePeriodSeconds: 3}" }',
    objects: [`${labelled("activeDeadlineSeconds: 5")}\n  entrypoint: run`],
    workflow: REFERRING,
    expected: { phase: "Succeeded", pods: { run: [{ spec: { terminationGracePeriodSeconds: 3 } }] } },
  },
  {
    issues: [14927],
    behavior: "workflowDefaults: labelsFrom gives each workflow a label from its arguments",
    defaults: 'spec: { workflowMetadata: { labelsFrom: { team: { expression: "workflow.parameters.team" } } } }',
    spec: "arguments: { parameters: [{ name: team, value: blue }] }",
    workflow: `
  - { name: main, container: { image: alpine, command: ["true"] } }`,
    expected: { phase: "Succeeded", workflow: { metadata: { labels: { team: "blue" } } } },
  },
  {
    issues: [14329, 15744],
    behavior: "inline template of a WorkflowTemplate: its inputs are filled in, in steps, a DAG and a loop",
    objects: [`
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: { name: t }
spec:
  templates:
  - name: run
    inputs: { parameters: [{ name: a }] }
    steps:
    - - &step
        name: one
        arguments: { parameters: [{ name: b, value: "{{inputs.parameters.a}}" }] }
        inline:
          inputs: { parameters: [{ name: b }] }
          container: { image: alpine, command: [echo, "{{inputs.parameters.b}}"] }
    - - { <<: *step, name: each, withItems: [1, 2], arguments: { parameters: [{ name: b, value: "{{item}}" }] } }
  - name: dag
    inputs: { parameters: [{ name: a }] }
    dag: { tasks: [{ <<: *step, name: task }] }`],
    workflow: `
  - name: main
    steps:
    - - name: a
        templateRef: { name: t, template: run }
        arguments: { parameters: [{ name: a, value: x }] }
      - name: b
        templateRef: { name: t, template: dag }
        arguments: { parameters: [{ name: a, value: z }] }`,
    expected: {
      phase: "Succeeded",
      runs: { one: ["echo x"], task: ["echo z"], each: ["echo 1", "echo 2"] },
    },
  },
  {
    issues: [12594],
    behavior: "inline templates: steps of the same name in two templates run their own",
    argo: "runs the first one twice",
    objects: [`
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: { name: t }
spec:
  templates:
  - { name: a, steps: [[{ name: do, inline: { container: { image: alpine, command: [echo, a] } } }]] }
  - { name: b, steps: [[{ name: do, inline: { container: { image: alpine, command: [echo, b] } } }]] }`],
    workflow: `
  - name: main
    steps:
    - - { name: a, templateRef: { name: t, template: a } }
    - - { name: b, templateRef: { name: t, template: b } }`,
    expected: { phase: "Succeeded", runs: { do: ["echo a", "echo b"] } },
  },
  {
    issues: [12895],
    behavior: "inline template: its pod has the ID of the node as its name",
    workflow: `
  - { name: main, steps: [[{ name: hello, inline: { container: { image: alpine, command: [echo, "{{pod.name}}"] } } }]] }`,
    expected: { phase: "Succeeded", pods: { hello: [{ metadata: { name: "w-1171774778" } }] } },
  },
  {
    issues: [14165],
    behavior: "templateRef: fields of an item are arguments of a template of another object",
    objects: [`
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: { name: t }
spec:
  templates:
  - name: build
    inputs: { parameters: [{ name: path }, { name: arg }] }
    container: { image: alpine, command: [echo, "{{inputs.parameters.path}} {{inputs.parameters.arg}}"] }`],
    workflow: `
  - name: main
    dag:
      tasks:
      - name: each
        templateRef: { name: t, template: build }
        withItems: [{ path: /a, arg: 1 }, { path: /b, arg: 2 }]
        arguments: { parameters: [{ name: path, value: "{{item.path}}" }, { name: arg, value: "{{item.arg}}" }] }`,
    expected: { phase: "Succeeded", runs: { build: ["echo /a 1", "echo /b 2"] } },
  },
  {
    issues: [10748],
    behavior: "workflow.labels: the label with the name of the WorkflowTemplate may be used",
    objects: [`
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: { name: t }
spec:
  entrypoint: run
  templates:
  - { name: run, container: { image: alpine, command: [echo, "{{workflow.labels.workflows.argoproj.io/workflow-template}}"] } }`],
    workflow: `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: w }
spec: { workflowTemplateRef: { name: t } }`,
    expected: { phase: "Succeeded", runs: { run: ["echo t"] } },
  },
  {
    issues: [15440, 15234],
    behavior: "executorPlugins: a workflow that brings plugins ends with the name of the setting that allows them",
    spec: `executorPlugins:
- metadata: { name: p }
  spec:
    sidecar:
      container:
        name: p
        image: p
        ports: [{ containerPort: 4355 }]
        resources: { requests: { cpu: 1 }, limits: { cpu: 1 } }
        securityContext: { runAsNonRoot: true }`,
    workflow: `
  - { name: main, plugin: { p: {} } }`,
    expected: { phase: "Error", message: "ARGO_WORKFLOW_LEVEL_EXECUTOR_PLUGINS=true" },
  },
];
