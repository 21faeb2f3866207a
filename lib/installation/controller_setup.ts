/** The setup of an installed controller, from its arguments, its environment, and its ConfigMap. */
import { fieldsOf, textIn } from "@tiphys/base/fields_of";
import { classifyError, CONFIGMAPS, type KubeClient } from "@tiphys/kube";
import { dataOf } from "@tiphys/kube/object_data";
import { parseYaml } from "@tiphys/model/yaml";
import type { InstalledProgram } from "./deployments.ts";

/** The place of a controller's settings and workflows. */
export interface ControllerSetup {
  readonly configMap: string;
  /** The namespace whose workflows it runs; all of them if undefined. */
  readonly managedNamespace: string | undefined;
}

/** Settings of a controller that a takeover depends on. */
export interface ControllerSettings {
  /** Its instance ID, if any: it runs only workflows with this label. */
  readonly instanceId: string | undefined;
  /** Whether it rejects workflows without a template. */
  readonly requiresTemplate: boolean;
}

/** The controller's flag with the image of the executor, which overrides the settings. */
export const EXECUTOR_FLAG = "--executor-image";

type Words = Pick<InstalledProgram, "command" | "args" | "env">;

/** Reads the setup of a controller in the namespace `home`. */
export function setupOf(program: Words, home: string): ControllerSetup {
  const isNamespaced = /^(true|1|t)$/i.test(flagOf(program, "--namespaced") ?? "");
  return {
    configMap: flagOf(program, "--configmap") ?? DEFAULT_CONFIG_MAP,
    managedNamespace: isNamespaced ? flagOf(program, "--managed-namespace") || home : undefined,
  };
}

/** The default name of the ConfigMap. */
export const DEFAULT_CONFIG_MAP = "workflow-controller-configmap";

/** Reads the image of the executor from the arguments of a controller. */
export function executorImageOf(program: Words): string | undefined {
  return flagOf(program, EXECUTOR_FLAG);
}

/**
 * The value of a flag: of its last use, or of its environment variable. A switch without a value has the value `true`.
 */
function flagOf({ command, args, env }: Words, flag: string): string | undefined {
  const words = [...command, ...args];
  const index = words.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (index < 0) return env[`ARGO_${flag.slice(2).toUpperCase().replaceAll("-", "_")}`];
  if (words[index] !== flag) return words[index]!.slice(flag.length + 1);
  return SWITCHES.has(flag) ? "true" : words[index + 1];
}

const SWITCHES: ReadonlySet<string> = new Set(["--namespaced"]);

/** Reads the settings of a controller; defaults without a ConfigMap, or if the caller may not read it. */
export async function readSettings(
  client: KubeClient,
  program: Words,
  { namespace, configMap }: { readonly namespace: string; readonly configMap: string },
): Promise<ControllerSettings> {
  const data = await dataIn(client, namespace, configMap);
  const inText = fieldsOf(parseYaml(data.config ?? "")[0]?.value);
  const restrictions = fieldsOf(inText.workflowRestrictions ?? parseYaml(data.workflowRestrictions ?? "")[0]?.value);
  return {
    instanceId: flagOf(program, "--instanceid") ?? (data.instanceID || textIn(inText, "instanceID") || undefined),
    requiresTemplate: Boolean(textIn(restrictions, "templateReferencing")),
  };
}

async function dataIn(client: KubeClient, namespace: string, name: string): Promise<Readonly<Record<string, string>>> {
  try {
    return dataOf(await client.get(CONFIGMAPS, namespace, name));
  } catch (error) {
    const sort = classifyError(error);
    if (sort !== "notFound" && sort !== "forbidden") throw error;
    return {};
  }
}

/** The Lease that the controllers of an instance ID share. */
export function leaseNameOf(instanceId: string | undefined): string {
  return instanceId ? `workflow-controller-${instanceId}` : "workflow-controller";
}

/** Whether a controller runs without leader election. */
export function isWithoutElection({ env }: Words): boolean {
  return env.LEADER_ELECTION_DISABLE === "true";
}
