/** The fields in which lint reports references that can never be resolved, as a table. */
import { assertEquals } from "@std/assert";
import { lintFile } from "./lint.ts";

const STEP = "only a step, or an output of steps, can refer to steps";
const TASK = "only a task, or an output of a DAG, can refer to tasks";

/** Returns the fields that templates and workflows share, each with a text in it. */
function sharedFields(text: string): Readonly<Record<string, unknown>> {
  return {
    executor: { serviceAccountName: text },
    hostAliases: [{ ip: "10.0.0.1", hostnames: [text] }],
    metrics: { prometheus: [{ name: "m", help: "h", labels: [{ key: "k", value: text }], counter: { value: "1" } }] },
    nodeSelector: { key: text },
    podSpecPatch: text,
    retryStrategy: { limit: text },
    schedulerName: text,
    securityContext: { seLinuxOptions: { level: text } },
    serviceAccountName: text,
    synchronization: { mutexes: [{ name: text }] },
    tolerations: [{ key: text, operator: "Exists" }],
  };
}

/** Returns fields of a workflow. */
function specFields(text: string): Readonly<Record<string, unknown>> {
  return {
    ...sharedFields(text),
    artifactGC: { strategy: "OnWorkflowCompletion", podSpecPatch: text },
    artifactRepositoryRef: { key: text },
    dnsConfig: { nameservers: [text] },
    hooks: { exit: { template: "work", arguments: { parameters: [{ name: "m", value: text }] } } },
    imagePullSecrets: [{ name: text }],
    podDisruptionBudget: { minAvailable: text },
    podMetadata: { labels: { key: text } },
    podPriorityClassName: text,
    templateDefaults: { podSpecPatch: text },
    volumeClaimTemplates: [{ metadata: { name: text } }],
    workflowMetadata: { annotations: { key: text } },
  };
}

/** Returns fields of a template. */
function templateFields(text: string): Readonly<Record<string, unknown>> {
  return {
    ...sharedFields(text),
    annotations: { key: text },
    archiveLocation: { s3: { bucket: "b", key: text } },
    memoize: { key: text, cache: { configMap: { name: "c" } } },
    metadata: { labels: { key: text } },
    priorityClassName: text,
  };
}

interface Parts {
  readonly spec?: object;
  readonly steps?: object;
  readonly step?: object;
  readonly leaf?: object;
}

/** Returns the problems of a workflow with two groups of one step each, `a` and `b`. */
function problemsOf({ spec, steps, step, leaf }: Parts) {
  const main = { name: "main", steps: [[{ name: "a", template: "work" }], [{ name: "b", template: "work", ...step }]] };
  const inputs = { parameters: [{ name: "m", default: "x" }] };
  const work = { name: "work", inputs, script: { image: "i", source: "" }, ...leaf };
  const workflow = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { generateName: "w-" },
    spec: { entrypoint: "main", templates: [{ ...main, ...steps }, work], ...spec },
  };
  return lintFile(JSON.stringify(workflow), "w");
}

/** Asserts that lint reports a reference below the path, once. */
function assertReported(parts: Parts, path: string, reason: string): void {
  const found = problemsOf(parts).filter((problem) =>
    `${problem.path}.`.startsWith(`${path}.`) || problem.path.startsWith(`${path}[`)
  );
  assertEquals(found.length, 1, `${path}: ${found.map(({ message }) => message).join("; ")}`);
  const [{ message = "" } = {}] = found;
  assertEquals([/can never resolve|failed to resolve|unknown name/.test(message), message.includes(reason)], [
    true,
    true,
  ], message);
}

Deno.test("lint: a reference to a step is reported in every field of the spec", () => {
  for (const text of ["{{steps.a.outputs.result}}", "{{=steps.a.outputs.result}}"]) {
    for (const [field, value] of Object.entries(specFields(text))) {
      assertReported({ spec: { [field]: value } }, `spec.${field}`, "steps.a");
    }
  }
});

Deno.test("lint: a reference to a step is reported in every field of a template of steps and of templateDefaults", () => {
  for (const text of ["{{steps.a.outputs.result}}", "{{=steps.a.outputs.result}}"]) {
    for (const [field, value] of Object.entries(templateFields(text))) {
      assertReported({ steps: { [field]: value } }, `spec.templates[0].${field}`, STEP);
      assertReported({ spec: { templateDefaults: { [field]: value } } }, `spec.templateDefaults.${field}`, STEP);
    }
  }
});

Deno.test("lint: a reference to a step is reported in every field of a script", () => {
  for (const text of ["{{steps.a.outputs.result}}", "{{=steps.a.outputs.result}}"]) {
    const fields = {
      ...templateFields(text),
      activeDeadlineSeconds: text,
      inputs: { artifacts: [{ name: "f", path: "/f", s3: { bucket: "b", key: text } }] },
      outputs: { parameters: [{ name: "o", valueFrom: { path: text } }] },
      pendingTimeout: text,
      script: { image: "i", source: text },
      timeout: text,
    };
    for (const [field, value] of Object.entries(fields)) {
      assertReported({ leaf: { [field]: value } }, `spec.templates[1].${field}`, "steps.a");
    }
  }
});

Deno.test("lint: references to tasks, items and inputs outside of templates are reported with the reason", () => {
  const rows: readonly (readonly [spec: object, path: string, reason: string])[] = [
    [{ podSpecPatch: "{{tasks.a.status}}" }, "spec.podSpecPatch", TASK],
    [{ podSpecPatch: '{"priority": {{item}}}' }, "spec.podSpecPatch", "only a step or task with a loop has items"],
    [{ nodeSelector: { k: "{{item.zone}}" } }, "spec.nodeSelector.k", "only a step or task with a loop has items"],
    [
      { synchronization: { mutexes: [{ name: "{{inputs.parameters.m}}" }] } },
      "spec.synchronization.mutexes[0].name",
      "only a template has inputs",
    ],
    [{ retryStrategy: { limit: 1, expression: "steps.a.status == 'x'" } }, "spec.retryStrategy.expression", STEP],
  ];
  for (const [spec, path, reason] of rows) assertReported({ spec }, path, reason);
});

Deno.test("lint: references that are resolved later are not reported", () => {
  const rows: readonly Parts[] = [
    { spec: { podSpecPatch: "{{inputs.parameters.m}}{{workflow.name}}{{pod.name}}" } },
    { spec: { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "{{steps.a.outputs.result}}" } }] } },
    { spec: { arguments: { parameters: [{ name: "p", value: "{{steps.a.outputs.result}}" }] } } },
    { spec: { podSpecPatch: "{{=steps?.a?.id ?? 'x'}}" } },
    {
      spec: {
        hooks: { exit: { template: "work", arguments: { parameters: [{ name: "m", value: "{{workflow.status}}" }] } } },
      },
    },
    { steps: { synchronization: { mutexes: [{ name: "{{workflow.name}}" }] } } },
    {
      step: {
        template: undefined,
        withItems: ["x"],
        inline: { synchronization: { mutexes: [{ name: "{{item}}" }] }, steps: [[{ name: "c", template: "work" }]] },
      },
    },
  ];
  for (const parts of rows) assertEquals(problemsOf(parts), [], JSON.stringify(parts));
});
