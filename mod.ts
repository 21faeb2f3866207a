/**
 * Tiphys as a library: the workflow kinds and how to read them, the template language, lint, and tests of workflows.
 *
 * ```ts
 * import { template } from "./mod.ts";
 *
 * const names = { inputs: { parameters: { name: "Tiphys", n: "41" } } };
 * const text = template.render("hello {{inputs.parameters.name}}", names);
 * if (text !== "hello Tiphys") throw new Error(text);
 * const answer = template.evaluate("asInt(inputs.parameters.n) + 1", names);
 * if (answer !== 42n) throw new Error(String(answer));
 * const [needed] = template.references("hello {{inputs.parameters.name}}");
 * if (needed.name !== "inputs.parameters.name") throw new Error(needed.name);
 * ```
 *
 * A workflow is tested without a cluster, its templates answered by functions (docs/testing.md):
 *
 * ```ts
 * import { simulate } from "./mod.ts";
 *
 * const workflow = `
 * apiVersion: argoproj.io/v1alpha1
 * kind: Workflow
 * metadata: { generateName: flaky- }
 * spec:
 *   entrypoint: build
 *   templates:
 *     - name: build
 *       retryStrategy: { limit: 2, backoff: { duration: 1m } }
 *       container: { image: golang, command: [make] }
 * `;
 * const run = await simulate(workflow, {
 *   templates: { build: ({ attempt }) => attempt === 0 ? { exitCode: 1 } : { durationSeconds: 30 } },
 * });
 * if (run.phase !== "Succeeded") throw new Error(run.message);
 * if (run.calls("build").length !== 2) throw new Error("not tried again");
 * if (run.durationSeconds !== 90) throw new Error(`took ${run.durationSeconds} s`);
 * ```
 *
 * - `simulate`: runs a workflow on the controller's engine, with functions for pods and a clock that jumps
 * - `api`: zod schemas and types of every kind, `parseWorkflow()` and its siblings
 * - `template`: tags, expressions, `when`, `depends`, loops, names; nothing of Kubernetes, nothing of Deno
 * - `validate`: what is wrong with a workflow, and where
 * - `why`: what a workflow waits for, in words for people and codes for programs
 * - `yaml`: YAML by Kubernetes' rules, with the place of every field
 *
 * @module
 */
export * as api from "@tiphys/model/api";
export {
  type Answer,
  type Run,
  type RunNode,
  simulate,
  type SimulateOptions,
  SimulationError,
  type TemplateCall,
  type TemplateFunction,
  type Value,
  type Values,
} from "./simulate/mod.ts";
export * as why from "@tiphys/engine/explain";
export * as template from "@tiphys/language/template";
export * as validate from "@tiphys/language/validate";
export * as yaml from "@tiphys/model/yaml";
export { VERSION } from "@tiphys/base/version";
