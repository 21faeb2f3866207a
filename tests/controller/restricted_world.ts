/** A controller with `templateReferencing`, and the templates of its administrator. */
import type { Pod, Workflow } from "@tiphys/model/api";
import { API_VERSION, LABEL } from "@tiphys/base/constants";
import { CLUSTER_WORKFLOW_TEMPLATES, PODS, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { ControllerWorld } from "./world.ts";

/** The key of the controller, which only the controller has. */
export const SEAL_KEY = new TextEncoder().encode("a key of the controller's own");

/**
 * The spec of the template `guarded`, which the administrator lets users run: with restrictions, and a second template.
 */
const GUARDED = {
  entrypoint: "main",
  serviceAccountName: "guarded",
  podSpecPatch: JSON.stringify({ terminationGracePeriodSeconds: 7 }),
  arguments: { parameters: [{ name: "text", value: "hello" }] },
  templates: [
    {
      name: "main",
      inputs: { parameters: [{ name: "text", value: "{{workflow.parameters.text}}" }] },
      container: { image: "guarded:v1", command: ["echo"], args: ["{{inputs.parameters.text}}"] },
    },
    { name: "other", container: { image: "guarded:v2", command: ["true"] } },
  ],
};

/** The template that an attacker wants to run instead. */
export const EVIL = {
  name: "main",
  container: { image: "evil", command: ["evil"], securityContext: { privileged: true } },
};

/** Creates a world with a restricted controller and the administrator's templates. */
export async function restrictedWorld(templateReferencing: string, key?: Uint8Array): Promise<ControllerWorld> {
  const world = new ControllerWorld();
  world.configure({ templateReferencing, sealKey: key ?? SEAL_KEY });
  await makeTemplate(world, "guarded", GUARDED);
  await makeTemplate(world, "caller", {
    entrypoint: "main",
    templates: [{ name: "main", steps: [[{ name: "call", templateRef: { name: "guarded", template: "main" } }]] }],
  });
  await world.client.create(CLUSTER_WORKFLOW_TEMPLATES, undefined, {
    apiVersion: API_VERSION,
    kind: "ClusterWorkflowTemplate",
    metadata: { name: "guarded" },
    spec: GUARDED,
  });
  return world;
}

export async function makeTemplate(world: ControllerWorld, name: string, spec: object): Promise<void> {
  await world.client.create(WORKFLOW_TEMPLATES, "default", {
    apiVersion: API_VERSION,
    kind: "WorkflowTemplate",
    metadata: { name, namespace: "default" },
    spec,
  });
}

/** Fields of a workflow that a user submits in addition to the reference to the template `guarded`. */
export interface Submission {
  readonly spec?: object;
  readonly status?: unknown;
  readonly metadata?: object;
}

export async function submit(
  world: ControllerWorld,
  name: string,
  { spec, status, metadata }: Submission,
): Promise<void> {
  await world.client.create(WORKFLOWS, "default", {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { name, ...metadata },
    spec: { workflowTemplateRef: { name: "guarded" }, ...spec },
    ...(status === undefined ? {} : { status }),
  });
}

/** The outcome of a workflow: the message of its end, or the pods that it created. */
export async function awaitOutcome(world: ControllerWorld, name: string): Promise<string | Pod[]> {
  let workflow: Workflow | undefined;
  let pods: Pod[] = [];
  await world.waitUntil(`there is an outcome of ${name}`, async () => {
    workflow = await world.workflow(name);
    pods = await podsOf(world, name);
    return pods.length > 0 || workflow.status?.finishedAt !== undefined;
  });
  return pods.length > 0 ? pods : workflow?.status?.message ?? "";
}

export async function podsOf(world: ControllerWorld, name: string): Promise<Pod[]> {
  const { items } = await world.client.list<Pod>(PODS, "default", { labelSelector: `${LABEL.workflow}=${name}` });
  return items;
}

/** The image of a pod's main container, and the account and permissions that it runs with. */
export function runFacts({ spec }: Pod): object {
  const main = spec.containers.find(({ name }) => name === "main");
  return {
    image: main?.image,
    account: spec.serviceAccountName,
    grace: spec.terminationGracePeriodSeconds,
    privileged: main?.securityContext?.privileged ?? false,
    hostNetwork: spec.hostNetwork ?? false,
    hostPaths: (spec.volumes ?? []).filter(({ hostPath }) => hostPath).length,
  };
}

/** The expected facts of a pod that runs the template `guarded`, as {@link runFacts} returns them. */
export const AS_GUARDED = {
  image: "guarded:v1",
  account: "guarded",
  grace: 7,
  privileged: false,
  hostNetwork: false,
  hostPaths: 0,
};

/** Argo's message about fields that a workflow may not set. */
export function notPermittedMessage(...fields: string[]): string {
  return `fields [${
    fields.join(" ")
  }] are not permitted when using workflowTemplateRef with templateReferencing restriction`;
}
