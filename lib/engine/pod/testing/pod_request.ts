/** Requests for the tests of this folder: a minimal valid one, with the changes of a test. */
import type { Pod, PodContainer, Template } from "@tiphys/model/api";
import { buildPod } from "../build.ts";
import type { ExecutorConfig, PodRequest } from "../request.ts";

/** Default settings of a controller. */
export const CONFIG: ExecutorConfig = {
  layout: "initless",
  image: "example.org/argoexec:v1",
  imagePullPolicy: "IfNotPresent",
  images: { "listed:v1": { entrypoint: ["/entry"], cmd: ["default"] } },
  statusFinalizer: false,
  logLevel: "info",
  logFormat: "text",
};

/** A request for a template, in the init-less layout. */
export function requestFor(template: Template, changes: Partial<PodRequest> = {}): PodRequest {
  return {
    workflow: { name: "wf", namespace: "ns", uid: "u-1" },
    spec: {},
    node: { id: "wf-123", name: "wf.step" },
    podName: "wf-work-123",
    template: { name: "work", ...template },
    globals: new Map([["workflow.name", "wf"]]),
    includeScriptOutput: false,
    onExit: false,
    config: CONFIG,
    ...changes,
  };
}

/** Builds a pod; fails the test if the template is rejected. */
export function podFor(template: Template, changes: Partial<PodRequest> = {}): Pod {
  const build = buildPod(requestFor(template, changes));
  if (!build.ok) throw new Error(build.message);
  return build.pod;
}

/** Returns the error for a rejected template; fails the test if a pod is built. */
export function refusalFor(template: Template, changes: Partial<PodRequest> = {}): string {
  const build = buildPod(requestFor(template, changes));
  if (build.ok) throw new Error("Expected no pod to be built");
  return build.message;
}

/** Changes that request the legacy layout. */
export const LEGACY_LAYOUT: Partial<PodRequest> = { config: { ...CONFIG, layout: "legacy" } };

/** A container of a pod by name, including init containers. */
export function containerOf(pod: Pod, name: string): PodContainer {
  const container = [...pod.spec.initContainers ?? [], ...pod.spec.containers].find((candidate) =>
    candidate.name === name
  );
  if (!container) throw new Error(`Expected a container "${name}"`);
  return container;
}

/** The value of a container's variable. */
export function envOf(pod: Pod, container: string, name: string): string | undefined {
  return containerOf(pod, container).env?.find((variable) => variable.name === name)?.value;
}

/** The mount paths of a container. */
export function mountsOf(pod: Pod, container: string): string[] {
  return (containerOf(pod, container).volumeMounts ?? []).map(({ mountPath }) => mountPath);
}
