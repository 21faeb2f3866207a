/** Reports about workflows that are refused, or should not be. */
import type { FieldReport } from "../field_report.ts";

/** A cron workflow with some fields of its spec. */
const cron = (fields: string) => `
apiVersion: argoproj.io/v1alpha1
kind: CronWorkflow
metadata: { name: c }
spec:
  ${fields}
  workflowSpec:
    entrypoint: main
    templates: [{ name: main, container: { image: alpine, command: ["true"] } }]`;

/**
 * Templates that a cluster should refuse when they are created: the reason, the templates, and a part of the message.
 */
const CONTRADICTIONS: readonly (readonly [string, string, string])[] = [
  [
    "template and templateRef",
    "steps: [[{ name: a, template: ok, templateRef: { name: t, template: x } }]]",
    "templateRef",
  ],
  ["no template", "steps: [[{ name: a }]]", "template name is required"],
  [
    "two kinds of loops",
    'steps: [[{ name: a, template: ok, withItems: [1], withParam: "[1]" }]]',
    "only one of withItems",
  ],
  [
    "count and end of a sequence",
    "steps: [[{ name: a, template: ok, withSequence: { count: 1, end: 2 } }]]",
    "only one of count or end",
  ],
  [
    "depends and dependencies",
    "dag: { tasks: [{ name: a, template: ok }, { name: b, template: ok, depends: a, dependencies: [a] }] }",
    "cannot use both 'depends' and 'dependencies'",
  ],
  [
    "depends and continueOn",
    "dag: { tasks: [{ name: a, template: ok }, { name: b, template: ok, depends: a, continueOn: { failed: true } }] }",
    "cannot use 'continueOn' when using 'depends'",
  ],
  [
    "a name with a leading digit and depends",
    "dag: { tasks: [{ name: 1a, template: ok }, { name: b, template: ok, depends: 1a }] }",
    "cannot begin with a digit",
  ],
  ["a timeout of steps", "timeout: 10s\n    steps: [[{ name: a, template: ok }]]", "doesn't support timeout field"],
  [
    "activeDeadlineSeconds of a DAG",
    "activeDeadlineSeconds: 10\n    dag: { tasks: [{ name: a, template: ok }] }",
    "activeDeadlineSeconds is only valid for leaf templates",
  ],
  [
    "two types of templates",
    "container: { image: alpine }\n    script: { image: alpine, source: x }",
    "multiple template types specified",
  ],
  [
    "manifest and manifestFrom",
    'resource: { action: create, manifest: "a: 1", manifestFrom: { artifact: { name: m, raw: { data: x } } } }',
    "shouldn't have both `manifest` and `manifestFrom`",
  ],
  [
    "two locations of an artifact",
    "inputs: { artifacts: [{ name: a, path: /a, raw: { data: x }, http: { url: 'http://h' } }] }\n    suspend: {}",
    "at most one artifact location can be specified, got http, raw",
  ],
  [
    "resourcesDuration in a realtime gauge",
    `metrics: { prometheus: [{ name: m, help: h, gauge: { realtime: true, value: "{{resourcesDuration.cpu}}" } }] }
    container: { image: alpine, command: ["true"] }`,
    "resourcesDuration",
  ],
];

/** Reports about workflows that are refused, or should not be. */
export const REFUSALS: readonly FieldReport[] = [
  ...["@daily", "@every 1h30m", "*/3 * * * 1-5", "0 9 * JAN-MAR MON,WED", "30 2 1,15 * ?"].map((schedule) => ({
    issues: [16100, 15175],
    behavior: `schedule: ${schedule} is valid`,
    workflow: cron(`schedules: ["${schedule}"]`),
    expected: { phase: "Succeeded" },
  })),
  ...["CET", "Europe/Zurich", "Etc/GMT-1"].map((timezone) => ({
    issues: [15653, 15732],
    behavior: `timezone: ${timezone} is known`,
    workflow: cron(`schedules: ["0 18 * * *"]\n  timezone: ${timezone}`),
    expected: { phase: "Succeeded" },
  })),
  {
    issues: [15732],
    behavior: "timezone: an unknown one is refused",
    workflow: cron('schedules: ["0 * * * *"]\n  timezone: Not/A_Zone'),
    expected: { refused: "Not/A_Zone" },
  },
  {
    issues: [13680],
    behavior: "cron workflow: variables of the run do not concern its when",
    workflow: cron(`schedules: ["0 * * * *"]
  when: "{{= cronworkflow.lastScheduledTime == nil || (now() - cronworkflow.lastScheduledTime).Minutes() >= 30 }}"
  workflowMetadata: { annotations: { at: "{{workflow.scheduledTime}}" } }`),
    expected: { phase: "Succeeded" },
  },
  {
    issues: [15743],
    behavior: "templateRef: a template whose name contains the word placeholder is looked up too",
    workflow: `
  - { name: main, steps: [[{ name: a, templateRef: { name: gone, template: run-placeholder-task } }]] }`,
    expected: { refused: "not found" },
  },
  {
    issues: [15991, 15896],
    behavior: "step: a name from an input may be used in references to the step",
    objects: [`
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: { name: t }
spec:
  templates:
  - name: day
    inputs: { parameters: [{ name: d }] }
    steps:
    - - { name: "run-{{inputs.parameters.d}}", template: work, continueOn: { failed: true } }
    - - name: "check-{{inputs.parameters.d}}"
        template: work
        when: "{{steps.run-{{inputs.parameters.d}}.status}} != Succeeded"
  - { name: work, container: { image: alpine, command: ["true"] } }`],
    workflow: `
  - name: main
    steps:
    - - name: a
        templateRef: { name: t, template: day }
        arguments: { parameters: [{ name: d, value: mon }] }`,
    answers: { work: { exitCode: 1 } },
    expected: { phase: "Failed", nodes: { "run-mon": "Failed", "check-mon": "Failed" } },
  },
  {
    issues: [13763],
    behavior: "templateRef: a missing argument is found in a template of the same name in another object",
    objects: [`
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: { name: t }
spec:
  templates:
  - name: a
    inputs: { parameters: [{ name: m }] }
    container: { image: alpine, command: [echo, "{{inputs.parameters.m}}"] }`],
    workflow: `
  - { name: main, steps: [[{ name: b, template: a }]] }
  - { name: a, steps: [[{ name: c, templateRef: { name: t, template: a } }]] }`,
    expected: { refused: "inputs.parameters.m was not supplied" },
  },
  {
    issues: [14704],
    behavior: "enum: an argument with a value that its WorkflowTemplate does not allow is refused",
    objects: [`
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: { name: t }
spec:
  entrypoint: main
  arguments: { parameters: [{ name: env, value: dev, enum: [dev, prod] }] }
  templates: [{ name: main, container: { image: alpine, command: ["true"] } }]`],
    workflow: `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: w }
spec: { workflowTemplateRef: { name: t } }`,
    parameters: { env: "test" },
    expected: { refused: "env" },
  },
  {
    issues: [2314],
    behavior: "DAG: an argument from a task that is not among the ancestors is refused",
    workflow: `
  - name: main
    dag:
      tasks:
      - { name: a, template: make }
      - { name: b, template: show, arguments: { parameters: [{ name: m, value: "{{tasks.a.outputs.parameters.out}}" }] } }`,
    expected: { refused: "missing dependency 'a' for parameter 'm'" },
  },
  ...CONTRADICTIONS.map(([fields, template, refused]) => ({
    issues: [15028],
    behavior: `template: ${fields} are refused`,
    workflow: `\n  - name: main\n    ${template}`,
    expected: { refused },
  })),
];
