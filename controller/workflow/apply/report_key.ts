/**
 * Variables in the containers of a new pod that report. Main of a pod without a reporting container has no key, because
 * it runs the user's command.
 */
import type { Pod, PodContainer, Workflow } from "@tiphys/model/api";
import { CONTAINER, ENV } from "@tiphys/base/constants";
import { isRunBy, isTemplateType } from "@tiphys/model/templates";
import { auxNameOf, isSingleContainer } from "@tiphys/engine/pod";

const KEY_BYTES = 24;

/** Returns the pod with its own key for sealing its report, which the pod and its readers know. */
export function withReportKey(pod: Pod): Pod {
  const key = crypto.getRandomValues(new Uint8Array(KEY_BYTES)).toBase64({ alphabet: "base64url" });
  return withVariable(pod, ENV.reportKey, isSingleContainer(pod) ? undefined : key);
}

/**
 * Returns the pod with the version of its workflow: until that version is seen, the pod does not count as a leftover.
 */
export function withDecidedOn(pod: Pod, { metadata: { resourceVersion } }: Workflow): Pod {
  return resourceVersion === undefined ? pod : withVariable(pod, ENV.decidedOn, resourceVersion);
}

/**
 * Returns the pod with a variable in the containers that report, or in main if no container reports. A variable of that
 * name from another source is removed. Without a value, no container has it.
 */
function withVariable(pod: Pod, name: string, value: string | undefined): Pod {
  const isSingle = isSingleContainer(pod);
  const auxName = auxNameOf(pod);
  const aux = pod.spec.containers.find(({ name }) => name === auxName);
  const containers = pod.spec.containers.map((container) => {
    const env = (container.env ?? []).filter((entry) => entry.name !== name);
    const isHolder = isSingle ? container.name === CONTAINER.main : container === aux || isExecutor(container, aux);
    if (isHolder && value !== undefined) return { ...container, env: [...env, { name, value }] };
    return env.length === (container.env ?? []).length ? container : { ...container, env };
  });
  return { ...pod, spec: { ...pod.spec, containers } };
}

/** Whether main runs the executor itself, either alone or next to a container with the same image. */
function isExecutor({ name, image, command = [] }: PodContainer, aux: PodContainer | undefined): boolean {
  if (name !== CONTAINER.main || (aux && aux.image !== image)) return false;
  const [program, type = ""] = command.slice(command.indexOf("--") + 1);
  return program === "argoexec" && isTemplateType(type) && isRunBy(type, "executor");
}
