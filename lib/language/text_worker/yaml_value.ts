/** The value of a YAML text: a task of the thread. */
import type { Json } from "@tiphys/model/api";
import { parseYaml } from "@tiphys/model/yaml/parse";

/** The value of the first document, null without one; or the first error. */
export function yamlValue(text: string): { readonly value: Json } | { readonly error: string } {
  const [document] = parseYaml(text);
  const [error] = document?.errors ?? [];
  return error ? { error: error.message } : { value: document?.value ?? null };
}
