/**
 * Tiphys as a library: the workflow kinds and how to read them, the template language, and lint.
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
 * - `api`: zod schemas and types of every kind, `parseWorkflow()` and its siblings
 * - `template`: tags, expressions, `when`, `depends`, loops, names; nothing of Kubernetes, nothing of Deno
 * - `validate`: what is wrong with a workflow, and where
 * - `yaml`: YAML by Kubernetes' rules, with the place of every field
 *
 * @module
 */
export * as api from "./lib/api/mod.ts";
export * as template from "./lib/template/mod.ts";
export * as validate from "./lib/validate/mod.ts";
export * as yaml from "./lib/yaml/mod.ts";
export { VERSION } from "./lib/version.ts";
