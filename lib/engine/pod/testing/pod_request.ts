/** Requests for the tests of this folder: the smallest that builds, with what a test cares about on top. */
import type { Pod, PodContainer, Template } from "@tiphys/model/api";
import { buildPod } from "../build.ts";
import type { ExecutorConfig, PodRequest } from "../request.ts";

/** Settings of a controller that sets nothing special. */
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

/** The built pod; fails the test when there is none. */
export function podFor(template: Template, changes: Partial<PodRequest> = {}): Pod {
  const build = buildPod(requestFor(template, changes));
  if (!build.ok) throw new Error(build.message);
  return build.pod;
}

/** The message of the refusal to build a pod; fails the test when a pod is built. */
export function refusalFor(template: Template, changes: Partial<PodRequest> = {}): string {
  const build = buildPod(requestFor(template, changes));
  if (build.ok) throw new Error("Expected no pod to be built");
  return build.message;
}

/** Changes that ask for the legacy layout. */
export const LEGACY_LAYOUT: Partial<PodRequest> = { config: { ...CONFIG, layout: "legacy" } };

/** A container of a pod by name, init containers included. */
export function containerOf(pod: Pod, name: string): PodContainer {
  const container = [...pod.spec.initContainers ?? [], ...pod.spec.containers].find((one) => one.name === name);
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
