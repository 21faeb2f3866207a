/** Settings of the embedded cluster's controller, from a file of the user. */
import { type ControllerConfig, parseControllerConfig } from "../../controller/mod.ts";
import { parseYaml, stringifyYaml } from "@tiphys/model/yaml";
import { badInput } from "../command_error.ts";

/** The base that the settings override. */
export type SettingsBase = Parameters<typeof parseControllerConfig>[1];

/**
 * Parses settings: a ConfigMap `workflow-controller-configmap`, or its fields alone, whose values may be texts as in the
 * ConfigMap.
 * @throws {CommandError} with exit code 2 for invalid settings, or settings that the embedded cluster does not support.
 */
export function readSettings(text: string, path: string, base: SettingsBase): ControllerConfig {
  const [document, second] = parseYaml(text);
  const wrong = (message: string) => badInput(`${path}: ${message}`);
  if (second) throw wrong("expected one document, got several");
  const [mistake] = document?.errors ?? [];
  if (mistake) throw badInput(`${path}:${mistake.line}:${mistake.column}: ${mistake.message}`);
  const value = document?.value ?? {};
  if (typeof value !== "object" || Array.isArray(value)) throw wrong("expected a ConfigMap, or the fields of one");
  const isConfigMap = (value as { kind?: unknown }).kind === "ConfigMap";
  const data = isConfigMap ? (value as { data?: Record<string, string> }).data ?? {} : dataOf(value, text);
  let config: ControllerConfig;
  try {
    config = parseControllerConfig({ metadata: {}, data }, base);
  } catch (error) {
    throw wrong((error as Error).message);
  }
  if (config.settings.namespace !== undefined) {
    throw wrong("namespace is not supported by the embedded cluster, whose controller manages all namespaces");
  }
  return config;
}

/** The data of a ConfigMap with these fields. Without texts, all are one key, so that errors have the lines of the file. */
function dataOf(fields: object, text: string): Record<string, string> {
  const hasTexts = Object.values(fields).some((value) => typeof value === "string" && value.includes("\n"));
  if (!hasTexts) return { config: text };
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === "string" ? value : stringifyYaml(value)]),
  );
}
