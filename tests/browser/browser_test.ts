/**
 * The modules that support browsers, bundled and run in a context that has only the globals of every browser: no Deno,
 * no Node.js, no files. `scripts/import_rules.ts` checks the imports of their sources.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { createContext, runInContext } from "node:vm";
import { outputOf } from "../../scripts/command.ts";

/** Host globals that the bundle may use in addition to the language itself. Every browser has all of them. */
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
  // Wrapped in a function so that the names of the bundle do not become globals of the context.
  runInContext(`(() => {${bundle}\n})()`, context);
  const names = "{ api, nodes, simulate, status, template, validate, workflowActions, yaml }";
  return async (source) =>
    JSON.parse(await runInContext(`(async (${names}) => JSON.stringify(${source}))(module.exports)`, context));
}

Deno.test("library in a browser: YAML, lint, the template language, nodes, status and simulation work", async (t) => {
  const ask = await browser();
  await t.step("lintFile: parses a workflow and reports the line of an error", async () => {
    assertEquals(await ask("validate.lintFile(WORKFLOW, 'two.yaml')"), []);
    const broken = 'WORKFLOW.replace("{{steps.first.outputs.result}} ==", "{{steps.nowhere.outputs.result}} ==")';
    const [problem] = await ask(`validate.lintFile(${broken}, "two.yaml")`) as [{ line: number; message: string }];
    assertEquals(problem.line, 13);
    assertStringIncludes(problem.message, "steps.nowhere.outputs.result");
  });
  await t.step("simulate: the engine runs a workflow with functions in place of templates", async () => {
    const run = "await simulate(WORKFLOW, { templates: { say: ({ attempt }) => ({ result: 'hello' }) } })";
    assertEquals(await ask(`(({ phase, nodes }) => [phase, nodes.length])(${run})`), ["Succeeded", 5]);
  });
  await t.step("nodes: are compressed and decompressed", async () => {
    const a = { id: "a", name: "a", type: "Pod", phase: "Failed" };
    const workflow = `{ status: { compressedNodes: await nodes.compressNodes({ a: ${JSON.stringify(a)} }) } }`;
    assertEquals(await ask(`(await nodes.hydrate(${workflow})).status.nodes`), { a });
  });
  await t.step("formulateRetry: returns the pods to delete", async () => {
    const nodes = `{ w: { id: "w", name: "w", type: "Pod", phase: "Failed" } }`;
    const workflow = `{ metadata: { name: "w" }, spec: {}, status: { phase: "Failed", nodes: ${nodes} } }`;
    assertEquals(await ask(`workflowActions.formulateRetry(${workflow}, {}, new Date(0)).podsToDelete`), ["w"]);
  });
  await t.step("template language: renders tags and evaluates conditions", async () => {
    assertEquals(await ask(`template.render("{{=upper(x.y)}} {{x.y}}", { x: { y: "v" } })`), "V v");
    assertEquals(await ask(`template.evaluateWhen("a == a && 2 > 1")`), true);
  });
});
