/** Checks of the controller's ConfigMap: unknown keys, and keys without effect. */
import { CONTROLLER_SETTINGS, type Setting } from "@tiphys/model/api";
import { classifyError, CONFIGMAPS, type KubeClient } from "@tiphys/kube";
import { dataOf } from "@tiphys/kube/object_data";
import { parseYaml } from "@tiphys/model/yaml";
import { type Finding, notChecked } from "./finding.ts";

/** The key under which older installations store all settings as one text. */
const ALL_SETTINGS_KEY = "config";

/** Checks each key. */
export async function checkSettings(client: KubeClient, namespace: string, name: string): Promise<Finding[]> {
  const subject = `ConfigMap/${namespace}/${name}`;
  let data: Readonly<Record<string, string>>;
  try {
    data = dataOf(await client.get(CONFIGMAPS, namespace, name));
  } catch (error) {
    if (classifyError(error) === "forbidden") return [notChecked("settings", subject, "get", "", "configmaps")];
    if (classifyError(error) !== "notFound") throw error;
    const message = "missing: every setting has its default";
    return [{ check: "settings", severity: "ok", subject, message }];
  }
  const findings = keysOf(data).flatMap((key): Finding[] => {
    const settings: Readonly<Record<string, Setting>> = CONTROLLER_SETTINGS;
    const known = Object.hasOwn(settings, key) ? settings[key] : undefined;
    if (known === undefined) {
      return [{ check: "settings", severity: "warning", subject, path: key, message: "unknown key, has no effect" }];
    }
    if (known.withoutEffect !== "controller") return [];
    return [{
      check: "settings",
      severity: "warning",
      subject,
      path: key,
      message: "has no effect in this controller",
    }];
  });
  if (findings.length > 0) return findings;
  return [{ check: "settings", severity: "ok", subject, message: "every key has an effect" }];
}

function keysOf(data: Readonly<Record<string, string>>): string[] {
  const { [ALL_SETTINGS_KEY]: text, ...others } = data;
  const value = text === undefined ? undefined : parseYaml(text)[0]?.value;
  const within = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return [...within, ...Object.keys(others)];
}
