/**
 * Tiphys as a library: the workflow kinds and how to read them, the template language, and lint.
 *
 * ```ts
 * import { template } from "./mod.ts";
 *
 * const values = new Map([["inputs.parameters.name", "Tiphys"]]);
 * const text = template.renderText("hello {{inputs.parameters.name}}", values, { kind: "lenient" });
 * if (text !== "hello Tiphys") throw new Error(text);
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
