import { assert, assertEquals } from "@std/assert";
import type { Pod, Workflow } from "@tiphys/model/api";
import { MESSAGES, readMessage } from "@tiphys/proto";
import { LABEL } from "@tiphys/base/constants";
import { EVENTS, type KubeObject, PODS, WORKFLOWS } from "@tiphys/kube";
import { createApiServer } from "../../../local/api/mod.ts";
import { courseOf } from "../ceiling.ts";
import { createDefinitions } from "../definitions.ts";
import { warmUpWorkflow } from "../loads.ts";
import { type Form, formsOf } from "./forms.ts";

const COURSE = courseOf(warmUpWorkflow("default"));
const FORMS = formsOf(COURSE);

/** The object after the request of a form. */
async function outcomeOf(form: Form): Promise<KubeObject> {
  const api = createApiServer({ storePath: ":memory:" });
  try {
    const client = api.client();
    await createDefinitions(client);
    const name = "one";
    const made = COURSE.waves[0]![0]!;
    // Created without owner reference: the owner does not exist, so the object would be garbage-collected.
    const pod = { ...made, metadata: { ...made.metadata, name, namespace: "default", ownerReferences: [] } };
    const resource = form.needs === "workflow" ? WORKFLOWS : form.write === "event" ? EVENTS : PODS;
    const object = form.needs === "pod"
      ? await client.create<Pod>(PODS, "default", pod)
      : form.needs === "workflow"
      ? await client.create<Workflow>(WORKFLOWS, "default", { ...COURSE.workflow, metadata: { name } })
      : undefined;
    const { method, path, type, body } = form.request({ namespace: "default", name, object });
    const answer = await client.transport.fetch(path, { method, body, headers: { "content-type": type } });
    const text = await answer.text();
    assert(answer.ok, text);
    const [found] = (await client.list<KubeObject>(resource, "default")).items;
    return found!;
  } finally {
    api.close();
  }
}

/** The effect that all forms of a write must have. */
const EFFECT: Readonly<Record<Form["write"], (object: KubeObject) => unknown>> = {
  event: (object) => (object as unknown as { reason: string }).reason === "WorkflowRunning",
  pod: ({ metadata }) => metadata.labels?.[LABEL.workflow] === COURSE.workflow.metadata.name,
  "pod's end": ({ metadata: { labels, finalizers = [] } }) =>
    labels?.[LABEL.completed] === "true" && finalizers.length === 0,
  status: ({ metadata: { labels }, status }) =>
    labels?.[LABEL.completed] === "true" && (status as { phase?: string }).phase === "Succeeded",
};

for (const form of FORMS.filter((form) => typeof form.request({ namespace: "n", name: "o" }).body === "string")) {
  Deno.test(`forms: "${form.write}, ${form.name}" has the same effect as the other forms`, async () => {
    assert(EFFECT[form.write](await outcomeOf(form)), "the object is not as it should be");
  });
}

Deno.test("forms: an event in protobuf has the same fields as in JSON", () => {
  const of = (name: string) => FORMS.find((form) => form.write === "event" && form.name === name)!;
  const place = { namespace: "n", name: "one" };
  const bytes = of("protobuf").request(place).body as Uint8Array;
  const { apiVersion, kind, ...said } = JSON.parse(of("JSON").request(place).body as string);
  const mark = new TextDecoder().decode(bytes.subarray(0, 4));
  assertEquals([apiVersion, kind, mark], ["v1", "Event", "k8s\0"]);
  const message = readMessage(MESSAGES.get("core.Event")!, bytes.subarray(bytes.length - messageLength(bytes)));
  assertEquals(namesOf(message), namesOf(said));
});

/** The length of the message, which follows the magic bytes, the kind, and the length itself. */
function messageLength(bytes: Uint8Array): number {
  let offset = 4 + 2 + bytes[5]! + 1;
  let length = 0;
  for (let shift = 0;; shift += 7) {
    length |= (bytes[offset]! & 127) << shift;
    if ((bytes[offset++]! & 128) === 0) break;
  }
  assertEquals(offset + length, bytes.length);
  return length;
}

/** The names of the fields of the object and of its metadata. */
function namesOf(object: unknown): unknown {
  const { metadata, ...others } = object as { metadata: object };
  return [Object.keys(metadata).sort(), Object.keys(others).sort()];
}
