/**
 * A workflow in which every value from outside of the author's text is a trap: whatever it contains arrives unchanged,
 * in every field, after all passes.
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { simulate } from "../../simulate/mod.ts";
import { repetitions } from "../../scripts/unit_tests/repetitions.ts";

/** Texts that evaluate to something else when they are evaluated as a tag, and show that they were. */
const TRAPS = [
  "{{workflow.name}}",
  "{{=1+1}}",
  "{{= 'read' }}",
  "{{inputs.parameters.own}}",
  "{{inputs.parameters.x}}",
  "{{item}}",
  "{{retries}}",
  "{{pod.name}}",
  "{{node.name}}",
  "{{steps.a.outputs.result}}",
  "{{steps.make.outputs.parameters.p}}",
  "{{tasks.make.outputs.result}}",
  "{{workflow.parameters.{{inputs.parameters.x}}}}",
  "{{lastRetry.message}}",
  "{{workflow.outputs.parameters.g}}",
  "{{workflow.status}}",
  "}}{{",
  "{{",
  "}}",
  "{{unknown}}",
  "{{=unknown.too}}",
  '{"a": "{{workflow.name}}"}',
  "{{{{workflow.name}}}}",
];

const trap = fc.array(fc.oneof(fc.constantFrom(...TRAPS), fc.constantFrom("x", " ", "é", '"', "\\", "'", "$")), {
  minLength: 1,
  maxLength: 4,
}).map((parts) => parts.join(""));

const LIBRARY = `
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: { name: library }
spec:
  entrypoint: main
  arguments: { parameters: [{ name: given, value: unset }, { name: own, value: "{{workflow.name}}" }] }
  templateDefaults:
    container: { env: [{ name: DEFAULT, value: "{{workflow.parameters.given}}" }] }
  podMetadata: { annotations: { pods: "{{workflow.parameters.given}}" } }
  podSpecPatch: '{"hostname": "{{=sprig.sha1sum(workflow.parameters.given)}}"}'
  serviceAccountName: "{{workflow.parameters.given}}"
  workflowMetadata: { annotations: { given: "{{workflow.parameters.given}}" } }
  onExit: bye
  templates:
  - name: main
    inputs: { parameters: [{ name: given }] }
    steps:
    - - name: make
        template: make
    - - name: direct
        template: use
        arguments: { parameters: [{ name: x, value: "{{steps.make.outputs.result}}" }] }
      - name: output
        template: use
        arguments: { parameters: [{ name: x, value: "{{steps.make.outputs.parameters.p}}" }] }
      - name: expression
        template: use
        arguments: { parameters: [{ name: x, value: "{{=steps.make.outputs.result}}" }] }
      - name: given
        template: use
        arguments: { parameters: [{ name: x, value: "{{inputs.parameters.given}}" }] }
      - name: global
        template: use
        arguments: { parameters: [{ name: x, value: "{{workflow.parameters.given}}" }] }
      - name: default
        template: default
      - name: items
        template: use
        arguments: { parameters: [{ name: x, value: "{{item}}" }] }
        withParam: "{{steps.make.outputs.parameters.list}}"
      - name: maps
        template: use
        arguments: { parameters: [{ name: x, value: "{{=item.k}}" }] }
        withParam: "{{steps.make.outputs.parameters.maps}}"
      - name: inner
        template: inner
        arguments: { parameters: [{ name: x, value: "{{steps.make.outputs.result}}" }] }
      - name: inline
        arguments: { parameters: [{ name: x, value: "{{steps.make.outputs.result}}" }] }
        inline:
          inputs: { parameters: [{ name: x }] }
          container: { image: i, command: ["{{inputs.parameters.x}}"] }
      - name: retried
        template: retried
        arguments: { parameters: [{ name: x, value: "{{steps.make.outputs.result}}" }] }
      - name: hooked
        template: use
        arguments: { parameters: [{ name: x, value: "{{steps.make.outputs.result}}" }] }
        hooks:
          exit:
            template: use
            arguments: { parameters: [{ name: x, value: "{{steps.make.outputs.parameters.p}}" }] }
      - name: script
        template: script
        arguments: { parameters: [{ name: x, value: "{{steps.make.outputs.result}}" }] }
      - name: set
        template: set
        arguments: { parameters: [{ name: x, value: "{{steps.make.outputs.result}}" }] }
  - name: inner
    inputs: { parameters: [{ name: x }] }
    dag:
      tasks:
      - name: pass
        template: pass
        arguments: { parameters: [{ name: x, value: "{{inputs.parameters.x}}" }] }
      - name: again
        depends: pass
        template: use
        arguments: { parameters: [{ name: x, value: "{{tasks.pass.outputs.parameters.out}}" }] }
      - name: sum
        depends: pass
        template: use
        arguments: { parameters: [{ name: x, value: "{{tasks.pass.outputs.parameters.computed}}" }] }
  - name: pass
    inputs: { parameters: [{ name: x }] }
    outputs:
      parameters:
      - { name: out, valueFrom: { parameter: "{{steps.echo.outputs.result}}" } }
      - { name: computed, valueFrom: { expression: "steps.echo.outputs.result" } }
    steps:
    - - name: echo
        template: echo
        arguments: { parameters: [{ name: x, value: "{{inputs.parameters.x}}" }] }
  - name: echo
    inputs: { parameters: [{ name: x }] }
    container: { image: i, command: [echo, "{{inputs.parameters.x}}"] }
  - name: make
    container: { image: i, command: [make] }
    outputs:
      parameters:
      - { name: p, globalName: g, valueFrom: { path: /p } }
      - { name: list, valueFrom: { path: /list } }
      - { name: maps, valueFrom: { path: /maps } }
  - name: use
    inputs: { parameters: [{ name: x }, { name: own, value: own }] }
    metadata: { annotations: { x: "{{inputs.parameters.x}}" } }
    container:
      image: i
      command: ["{{inputs.parameters.x}}"]
      args: ["{{=inputs.parameters.x}}"]
      env: [{ name: X, value: "{{inputs.parameters.x}}" }]
  - name: default
    inputs: { parameters: [{ name: x, default: "{{workflow.parameters.given}}" }] }
    container: { image: i, command: ["{{inputs.parameters.x}}"] }
  - name: retried
    inputs: { parameters: [{ name: x }] }
    retryStrategy: { limit: 2 }
    container: { image: i, command: ["{{inputs.parameters.x}}"], args: ["{{retries}}"] }
  - name: script
    inputs: { parameters: [{ name: x }] }
    script: { image: i, command: [sh], source: "{{inputs.parameters.x}}" }
  - name: set
    inputs: { parameters: [{ name: x }] }
    containerSet: { containers: [{ name: main, image: i, command: ["{{inputs.parameters.x}}"] }] }
  - name: bye
    container: { image: i, command: ["{{workflow.outputs.parameters.g}}", "{{workflow.parameters.given}}"] }
`;

const workflowWith = (value: string) => ({
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { name: "wf", namespace: "default" },
  spec: { workflowTemplateRef: { name: "library" }, arguments: { parameters: [{ name: "given", value }] } },
});

async function runWith(value: string) {
  return await simulate(workflowWith(value), {
    objects: [LIBRARY],
    templates: {
      make: () => ({
        result: value,
        parameters: { p: value, list: JSON.stringify([value]), maps: JSON.stringify([{ k: value }]) },
      }),
      echo: () => ({ result: value }),
      retried: ({ attempt }) => (attempt === 0 ? { exitCode: 1, message: value } : {}),
    },
  });
}

Deno.test("values: outputs of steps, items, and arguments of a workflow arrive unchanged in every field and pass", async () => {
  await fc.assert(
    fc.asyncProperty(trap, async (value) => {
      const run = await runWith(value);
      assertEquals(
        run.phase,
        "Succeeded",
        JSON.stringify(run.workflow.status?.message ?? run.nodes.map((node) => node.message)),
      );
      let seen = 0;
      for (const { template: name, node, spec, pod } of run.calls()) {
        assertEquals(pod?.spec.serviceAccountName, value);
        assertEquals(pod?.metadata.annotations?.pods, value);
        const { container, script, containerSet, metadata } = spec;
        if (name === "make") continue;
        const texts = [
          container?.command?.at(-1),
          script?.source,
          containerSet?.containers?.[0]?.command?.[0],
          ...(name === "use" ? [container?.args?.[0], metadata?.annotations?.x] : []),
          ...(container?.env ?? []).map((variable) => variable.value),
        ].filter((text) => text !== undefined);
        assert(texts.length > 0, name);
        // A field of an item keeps its JSON escapes.
        const expected = node.startsWith("maps(") ? JSON.stringify(value).slice(1, -1) : value;
        for (const text of texts) {
          const isDefault = text !== expected &&
            container?.env?.some((variable) => variable.name === "DEFAULT" && variable.value === text);
          assertEquals(text, isDefault ? value : expected, `${node} got ${text}`);
        }
        seen++;
      }
      assertEquals(run.workflow.metadata.annotations?.given, value);
      assert(seen >= 18, `only ${seen} pods were made`);
    }),
    { numRuns: repetitions(20, 60) },
  );
});
