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

/** What became of the object that a form is about, after its request. */
async function outcomeOf(form: Form): Promise<KubeObject> {
  const api = createApiServer({ storePath: ":memory:" });
  try {
    const client = api.client();
    await createDefinitions(client);
    const name = "one";
    const made = COURSE.waves[0]![0]!;
    // Its owner is not there: with the reference it would be collected as garbage.
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

/** What all forms of a write have to bring about. */
const EFFECT: Readonly<Record<Form["write"], (object: KubeObject) => unknown>> = {
  event: (object) => (object as unknown as { reason: string }).reason === "WorkflowRunning",
  pod: ({ metadata }) => metadata.labels?.[LABEL.workflow] === COURSE.workflow.metadata.name,
  "pod's end": ({ metadata: { labels, finalizers = [] } }) =>
    labels?.[LABEL.completed] === "true" && finalizers.length === 0,
  status: ({ metadata: { labels }, status }) =>
    labels?.[LABEL.completed] === "true" && (status as { phase?: string }).phase === "Succeeded",
};

for (const form of FORMS.filter((form) => typeof form.request({ namespace: "n", name: "o" }).body === "string")) {
  Deno.test(`the write of the form "${form.write}, ${form.name}" comes to the same as its others`, async () => {
    assert(EFFECT[form.write](await outcomeOf(form)), "the object is not as it should be");
  });
}

Deno.test("an event in protobuf says what it says in JSON", () => {
  const of = (name: string) => FORMS.find((form) => form.write === "event" && form.name === name)!;
  const at = { namespace: "n", name: "one" };
  const bytes = of("protobuf").request(at).body as Uint8Array;
  const { apiVersion, kind, ...said } = JSON.parse(of("JSON").request(at).body as string);
  const mark = new TextDecoder().decode(bytes.subarray(0, 4));
  assertEquals([apiVersion, kind, mark], ["v1", "Event", "k8s\0"]);
  const message = readMessage(MESSAGES.get("core.Event")!, bytes.subarray(bytes.length - readable(bytes)));
  assertEquals(namesOf(message), namesOf(said));
});

/** The length of the message at the end: what is before it are its mark, its kind, and that length. */
function readable(bytes: Uint8Array): number {
  let at = 4 + 2 + bytes[5]! + 1;
  let length = 0;
  for (let shift = 0;; shift += 7) {
    length |= (bytes[at]! & 127) << shift;
    if ((bytes[at++]! & 128) === 0) break;
  }
  assertEquals(at + length, bytes.length);
  return length;
}

/** The fields of the metadata, and those beside it. */
function namesOf(object: unknown): unknown {
  const { metadata, ...others } = object as { metadata: object };
  return [Object.keys(metadata).sort(), Object.keys(others).sort()];
}
