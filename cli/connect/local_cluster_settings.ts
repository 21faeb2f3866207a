/** The settings of the embedded cluster's controller, from a file of the person at the machine. */
import { type ControllerConfig, parseControllerConfig } from "../../controller/mod.ts";
import { parseYaml } from "@tiphys/model/yaml";
import { badInput } from "../command_error.ts";

/** The base that the settings are laid over. */
export type SettingsBase = Parameters<typeof parseControllerConfig>[1];

/**
 * Reads settings: the ConfigMap `workflow-controller-configmap` as a cluster has it, or its fields alone.
 * @throws {CommandError} with exit code 2 when the text cannot be read, or says what the embedded cluster cannot do.
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
  const data = isConfigMap ? (value as { data?: Record<string, string> }).data ?? {} : { config: text };
  let config: ControllerConfig;
  try {
    config = parseControllerConfig({ metadata: {}, data }, base);
  } catch (error) {
    throw wrong((error as Error).message);
  }
  if (config.settings.namespace !== undefined) {
    throw wrong("namespace has no meaning on the embedded cluster, whose controller works all of them");
  }
  return config;
}
