/** Observed facts about the agent of a workflow: its pod, its task set, and the plugins for its pod. */
import { z } from "zod";
import { Container, object, parseWith, type Pod, type PodContainer } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import { isOwnedBy, type KubeObject } from "@tiphys/kube";
import { executorPluginProblem } from "@tiphys/language/validate";
import { parseYaml } from "@tiphys/model/yaml";
import type { AgentFacts, AgentPluginResult } from "@tiphys/engine/agent";
import type { Caches } from "./caches.ts";
import type { Owner } from "./workflow_facts.ts";

/** The outcomes of an agent's work that no watch shows. */
export interface KnownAgent {
  /** The task set as it was last written. */
  readonly taskSet: KubeObject | undefined;
  /** The number of created pods. */
  readonly createdPods: number;
}

/** The facts about the agent of a workflow; undefined if it does not use one. */
export function agentFacts(
  caches: Pick<Caches, "taskSets" | "configMaps">,
  { taskSet: written, createdPods }: KnownAgent,
  key: string,
  workflow: Owner,
  pod: Pod | undefined,
  pluginNamespaces: readonly string[] | undefined,
): AgentFacts | undefined {
  const shown = caches.taskSets.get(key);
  const isSeen = !written || caches.taskSets.hasSeen(written.metadata.resourceVersion ?? "0");
  const newest = isSeen ? shown : written;
  const taskSet = newest && isOwnedBy(newest, "Workflow", workflow) ? caches.taskSets.readObject(newest) : undefined;
  if (!taskSet && !pod && !pluginNamespaces) return undefined;
  return {
    pod,
    taskSet,
    createdPods,
    // Plugins are looked up only when an agent's pod is created.
    get plugins() {
      return pluginNamespaces ? plugins(caches, pluginNamespaces) : [];
    },
  };
}

/** The label value of ConfigMaps that define plugins, and the suffix of their names. */
const PLUGIN_TYPE = "ExecutorPlugin";
const NAME_END = "-executor-plugin";

/** The plugins of some namespaces by name; of two with the same name, the one in the later namespace. */
function plugins({ configMaps }: Pick<Caches, "configMaps">, namespaces: readonly string[]): AgentPluginResult[] {
  const found = new Map<string, KubeObject>();
  for (const namespace of namespaces) {
    for (const map of configMaps.list()) {
      const { metadata } = map;
      if (metadata.namespace !== namespace || metadata.labels?.[LABEL.configMapType] !== PLUGIN_TYPE) continue;
      found.set((metadata.name ?? "").replace(new RegExp(`${NAME_END}$`), ""), map);
    }
  }
  return [...found].sort(([a], [b]) => a < b ? -1 : 1).map(([name, map]) => readPluginOnce(name, map));
}

const PluginData = object({
  data: object({
    "sidecar.automountServiceAccountToken": z.string().optional(),
    "sidecar.container": z.string(),
  }),
});

/** The plugins by their ConfigMap, which is another object for each version. */
const read = new WeakMap<KubeObject, AgentPluginResult>();

function readPluginOnce(name: string, map: KubeObject): AgentPluginResult {
  let plugin = read.get(map);
  if (!plugin) read.set(map, plugin = pluginOf(name, map));
  return plugin;
}

function pluginOf(name: string, map: KubeObject): AgentPluginResult {
  const problem = (message: string): AgentPluginResult => ({ problem: `executor plugin ${name}: ${message}` });
  const data = parseWith(PluginData, { data: fieldsOf(map.data) }, "lenient");
  if (!data.ok) return problem(data.errors.map(({ path, message }) => `${path}: ${message}`).join("; "));
  const [document] = parseYaml(data.value.data["sidecar.container"]);
  const [mistake] = document?.errors ?? [];
  if (mistake) return problem(`sidecar.container: ${mistake.message}`);
  const container = parseWith(Container, document?.value, "strict");
  if (!container.ok) {
    return problem(container.errors.map(({ path, message }) => `sidecar.container.${path}: ${message}`).join("; "));
  }
  const wrong = executorPluginProblem({ metadata: { name }, spec: { sidecar: { container: container.value } } });
  if (wrong !== undefined) return problem(`sidecar is invalid: ${wrong}`);
  const named: PodContainer = { ...container.value, name: container.value.name ?? name };
  const automountServiceAccountToken = data.value.data["sidecar.automountServiceAccountToken"] === "true";
  return { name, container: named, automountServiceAccountToken };
}
