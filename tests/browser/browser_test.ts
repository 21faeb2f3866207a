/**
 * The modules that others may run in a browser, as a browser has them: bundled, and run where there is no Deno, no Node
 * and no file, only what every browser has. `scripts/import_rules.ts` holds the sources to it.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { createContext, runInContext } from "node:vm";
import { outputOf } from "../../scripts/command.ts";

/** The globals that are taken from the host beyond the language itself: every browser has all of them. */
const WEB = {
  AbortController,
  AbortSignal,
  Blob,
  CompressionStream,
  DecompressionStream,
  DOMException,
  ReadableStream,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  atob,
  btoa,
  clearTimeout,
  crypto,
  performance,
  queueMicrotask,
  setTimeout,
  structuredClone,
};

const WORKFLOW = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { generateName: two- }
spec:
  entrypoint: main
  templates:
    - name: main
      steps:
        - - name: first
            template: say
        - - name: second
            template: say
            when: "{{steps.first.outputs.result}} == hello"
            arguments: { parameters: [{ name: word, value: "{{steps.first.outputs.result}}" }] }
    - name: say
      inputs: { parameters: [{ name: word, default: nothing }] }
      script: { image: alpine, command: [sh], source: "echo {{inputs.parameters.word}}" }
`;

async function browser(): Promise<(source: string) => Promise<unknown>> {
  const entry = new URL("entry.ts", import.meta.url).pathname;
  const bundle = await outputOf([Deno.execPath(), "bundle", "--quiet", "--platform=browser", "--format=cjs", entry]);
  const context = createContext({ ...WEB, module: { exports: {} }, WORKFLOW });
  assertEquals(runInContext("typeof Deno + typeof process + typeof require", context), "undefinedundefinedundefined");
  // In a function of its own, as its names are none of the test's.
  runInContext(`(() => {${bundle}\n})()`, context);
  const names = "{ api, nodes, simulate, status, template, validate, workflowActions, yaml }";
  return async (source) =>
    JSON.parse(await runInContext(`(async (${names}) => JSON.stringify(${source}))(module.exports)`, context));
}

Deno.test("the library runs in a browser: kinds, YAML, lint, the language, nodes, status and simulation", async (t) => {
  const ask = await browser();
  await t.step("a workflow is read and judged, with the place of what is wrong", async () => {
    assertEquals(await ask("validate.lintFile(WORKFLOW, 'two.yaml')"), []);
    const broken = 'WORKFLOW.replace("{{steps.first.outputs.result}} ==", "{{steps.nowhere.outputs.result}} ==")';
    const [problem] = await ask(`validate.lintFile(${broken}, "two.yaml")`) as [{ line: number; message: string }];
    assertEquals(problem.line, 13);
    assertStringIncludes(problem.message, "steps.nowhere.outputs.result");
  });
  await t.step("a workflow is run by the engine, its templates answered by functions", async () => {
    const run = "await simulate(WORKFLOW, { templates: { say: ({ attempt }) => ({ result: 'hello' }) } })";
    assertEquals(await ask(`(({ phase, nodes }) => [phase, nodes.length])(${run})`), ["Succeeded", 5]);
  });
  await t.step("nodes are packed and unpacked", async () => {
    const a = { id: "a", name: "a", type: "Pod", phase: "Failed" };
    const workflow = `{ status: { compressedNodes: await nodes.compressNodes({ a: ${JSON.stringify(a)} }) } }`;
    assertEquals(await ask(`(await nodes.hydrate(${workflow})).status.nodes`), { a });
  });
  await t.step("a retry is planned", async () => {
    const nodes = `{ w: { id: "w", name: "w", type: "Pod", phase: "Failed" } }`;
    const workflow = `{ metadata: { name: "w" }, spec: {}, status: { phase: "Failed", nodes: ${nodes} } }`;
    assertEquals(await ask(`workflowActions.formulateRetry(${workflow}, {}, new Date(0)).podsToDelete`), ["w"]);
  });
  await t.step("the language answers", async () => {
    assertEquals(await ask(`template.render("{{=upper(x.y)}} {{x.y}}", { x: { y: "v" } })`), "V v");
    assertEquals(await ask(`template.evaluateWhen("a == a && 2 > 1")`), true);
  });
});
