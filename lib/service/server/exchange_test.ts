import { assertEquals, assertRejects } from "@std/assert";
import { classifyError, KubeError } from "@tiphys/kube";
import { type SendToServer, UnreadableResponseError } from "./exchange.ts";
import { ServerService } from "./server_service.ts";

/** A server that responds to every request with this text. */
function serviceAnswering(text: string, status = 200): ServerService {
  const send: SendToServer = () =>
    Promise.resolve({ status, body: ReadableStream.from([new TextEncoder().encode(text)]) });
  return new ServerService(send);
}

const node = (fields: object) =>
  JSON.stringify({ metadata: { name: "w" }, status: { nodes: { a: { id: "a", name: "a", ...fields } } } });

for (
  const [title, text, words] of [
    ["a page for people", "<html><body>Log in", 'it is not JSON: "<html><body>Log in"'],
    ["nothing", " \n", "it is empty"],
    ["null", "null", "the Workflow  cannot be read: expected object, got null"],
    ["a text", '"w"', "the Workflow  cannot be read: expected object, got a string"],
    ["an object without metadata", "{}", "the Workflow  cannot be read: metadata is required"],
    ["a name that is a number", '{"metadata": {"name": 7}}', "metadata.name: expected string, got a number"],
    ["nodes that are a list", '{"metadata": {}, "status": {"nodes": []}}', "status.nodes: expected object, got a list"],
    ["a node without a name", node({ name: null }), "the Workflow w cannot be read: status.nodes.a.name is required"],
    ["children that are a text", node({ children: "b" }), "status.nodes.a.children: expected list, got a string"],
  ] as const
) {
  Deno.test(`ServerService: a workflow that is ${title} cannot be parsed, which is a final error with its place`, async () => {
    const error = await assertRejects(() => serviceAnswering(text).get("n", "w"), UnreadableResponseError, words);
    assertEquals([error.message.includes("/api/v1/workflows/n/w"), classifyError(error)], [true, "fatal"]);
  });
}

Deno.test("ServerService: unused fields are kept, and null from Go counts as missing", async () => {
  const own = { metadata: { name: "w", other: 1 }, spec: { any: ["thing"] }, more: {} };
  const sent = { ...own, metadata: { ...own.metadata, creationTimestamp: null }, status: { nodes: null } };
  assertEquals<unknown>(await serviceAnswering(JSON.stringify(sent)).get("n", "w"), { ...own, status: {} });
  assertEquals(await serviceAnswering('{"items": null, "metadata": {}}').list("n"), { items: [] });
  assertEquals(await serviceAnswering('{"items": null}').templates.list("n"), []);
});

Deno.test("ServerService: a workflow that cannot be parsed is an item with a message in lists and streams", async () => {
  const broken = '{"metadata": {"name": "b"}, "spec": 7}';
  const row = {
    metadata: { name: "b" },
    spec: {},
    status: { phase: "Error" as const, message: "the Workflow b cannot be read: spec: expected object, got a number" },
  };
  const { items } = await serviceAnswering(`{"items": [{"metadata": {"name": "a"}}, ${broken}]}`).list("n");
  assertEquals(items, [{ metadata: { name: "a" }, spec: {} }, row]);
  const stream = serviceAnswering(`data: {"result": {"type": "ADDED", "object": ${broken}}}\n\n`);
  for await (const change of stream.watch("n", {}, new AbortController().signal)) {
    assertEquals(change, { type: "ADDED", object: row });
  }
});

Deno.test("ServerService: an item of a list or stream that is not an object is an error with its place", async () => {
  await assertRejects(
    () => serviceAnswering('{"items": [{"metadata": {}}, 7]}').list("n"),
    UnreadableResponseError,
    "items.1: ",
  );
  await assertRejects(() => serviceAnswering('{"items": {}}').templates.list("n"), UnreadableResponseError, "items: ");
  const first = async (text: string) => {
    for await (const change of serviceAnswering(text).watch("n", {}, new AbortController().signal)) return change;
  };
  const change = (type: string) => `data: {"result": {"type": "${type}", "object": {"metadata": {"name": "w"}}}}\n\n`;
  assertEquals(await first(`:\n${change("ADDED")}`), { type: "ADDED", object: { metadata: { name: "w" }, spec: {} } });
  await assertRejects(() => first(change("LOST")), UnreadableResponseError, "type: ");
  await assertRejects(() => first("data: null       \n"), UnreadableResponseError, "expected object");
  await assertRejects(() => first("data: half of a m\n"), UnreadableResponseError, "not JSON");
  const refused = await assertRejects(() => first('data: {"error": {"http_code": 403, "message": "no"}}\n'), KubeError);
  assertEquals([refused.status, refused.message], [403, "no"]);
});

Deno.test("ServerService: a lint with an unknown template is a problem of the manifest, with the server's message", async () => {
  const message = 'workflowtemplates.argoproj.io "none" not found';
  const problems = await serviceAnswering(JSON.stringify({ code: 5, message }), 404).lint("n", {
    kind: "Workflow",
    metadata: {},
  });
  assertEquals(problems.map((problem) => problem.message), [message]);
});
