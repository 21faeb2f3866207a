/** An API server that drops image volumes silently, like one whose feature gate is off. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { EVENTS, type KubeObject } from "@tiphys/kube";
import { awaitFact } from "../../await_fact.ts";
import { restartController } from "../../install/mod.ts";
import type { Case, Stage } from "../case.ts";
import { WorkflowRun } from "../workflow_run.ts";

const NAME = "e2e-drops-image-volumes";

/** The label of the pods that the policy changes. */
const LABEL = { [NAME]: "yes" };

const without = (list: string) => `object.spec.${list}.filter(one, one.name != "argoexec-bin")`;

/** The policy that removes the volume and its mount in main from new pods. */
const POLICY = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "MutatingAdmissionPolicy",
  metadata: { name: NAME },
  spec: {
    reinvocationPolicy: "Never",
    matchConstraints: {
      objectSelector: { matchLabels: LABEL },
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
    },
    matchConditions: [{ name: "init-less", expression: 'object.spec.volumes.exists(one, one.name == "argoexec-bin")' }],
    mutations: [{
      patchType: "JSONPatch",
      jsonPatch: {
        expression: `[
          JSONPatch{op: "replace", path: "/spec/volumes", value: ${without("volumes")}},
          JSONPatch{op: "replace", path: "/spec/containers/1/volumeMounts", value: ${
          without("containers[1].volumeMounts")
        }}
        ]`,
      },
    }],
  },
};

const BINDING = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "MutatingAdmissionPolicyBinding",
  metadata: { name: NAME },
  spec: { policyName: NAME },
};

/** Waits until the policy is enforced, some time after its creation: checked by a dry run of a pod. */
async function awaitPolicy({ kubectl, namespace }: Stage): Promise<void> {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: NAME, labels: LABEL },
    spec: {
      containers: [{ name: "first", image: "a" }, { name: "main", image: "a", volumeMounts: [] }],
      volumes: [{ name: "argoexec-bin", image: { reference: "a" } }],
    },
  };
  const tried = async () =>
    (await kubectl.create<{ spec: { volumes: { name: string }[] } }>(
      namespace,
      JSON.stringify(pod),
      "--dry-run=server",
    ))
      .spec.volumes.map(({ name }) => name);
  await awaitFact("image volumes are dropped", async () => !(await tried()).includes("argoexec-bin"), { seconds: 120 });
}

export const DROPPED_VOLUME: readonly Case[] = [
  {
    title: "image volume: a pod that lost it is replaced in the legacy layout, with an event (IL-78)",
    alone: true,
    async run(stage) {
      const { client, kubectl, namespace } = stage;
      await kubectl.apply(namespace, POLICY, BINDING);
      try {
        await awaitPolicy(stage);
        const run = await WorkflowRun.create(stage, {
          podMetadata: { labels: LABEL },
          templates: [{ name: "main", container: { image: "tiphys-test/busybox:1", command: ["true"] } }],
        });
        await run.awaitSuccess();
        const [pod] = await run.pods();
        assertEquals(pod?.spec.containers.map(({ name }) => name), ["wait", "main"]);
        type Event = KubeObject & { readonly involvedObject: { readonly name: string }; readonly message: string };
        const events = await client.list<Event>(EVENTS, namespace, { fieldSelector: "reason=ImageVolumeDropped" });
        const event = events.items.find(({ involvedObject }) => involvedObject.name === run.name);
        assertStringIncludes(event?.message ?? "", "ImageVolume");
      } finally {
        await kubectl.output("delete", "mutatingadmissionpolicybinding,mutatingadmissionpolicy", NAME);
        await restartController(kubectl, namespace);
      }
    },
  },
];
