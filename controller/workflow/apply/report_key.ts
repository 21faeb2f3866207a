/**
 * Variables that a pod is made with, in the containers that report. Main of a pod in which nobody reports has no key: it
 * runs the user's command.
 */
import type { Pod, PodContainer, Workflow } from "@tiphys/model/api";
import { CONTAINER, ENV } from "@tiphys/base/constants";
import { isRunBy, isTemplateType } from "@tiphys/model/templates";
import { auxNameOf, isSingleContainer } from "@tiphys/engine/pod";

const KEY_BYTES = 24;

/** The pod with a key of its own, with which it seals its report: known to it, and to readers of the pod. */
export function withReportKey(pod: Pod): Pod {
  const key = crypto.getRandomValues(new Uint8Array(KEY_BYTES)).toBase64({ alphabet: "base64url" });
  return withVariable(pod, ENV.reportKey, isSingleContainer(pod) ? undefined : key);
}

/** The pod with the version of the workflow that it comes of: until that is seen, the pod is no leftover. */
export function withDecidedOn(pod: Pod, { metadata: { resourceVersion } }: Workflow): Pod {
  return resourceVersion === undefined ? pod : withVariable(pod, ENV.decidedOn, resourceVersion);
}

/**
 * The pod with a variable in the containers that report, and in main where nobody does; what somebody else wrote under
 * its name is taken away. Without a value no container has it.
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

/** Main whose command is the executor itself: it works alone, or beside a container with the same image. */
function isExecutor({ name, image, command = [] }: PodContainer, aux: PodContainer | undefined): boolean {
  if (name !== CONTAINER.main || (aux && aux.image !== image)) return false;
  const [program, type = ""] = command.slice(command.indexOf("--") + 1);
  return program === "argoexec" && isTemplateType(type) && isRunBy(type, "executor");
}
