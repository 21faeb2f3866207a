import { assertEquals, assertRejects } from "@std/assert";
import { KubeError, sortError } from "../../kube/mod.ts";
import { type SendToServer, UnreadableAnswer } from "./exchange.ts";
import { ServerService } from "./server_service.ts";

/** A server that answers everything with these words. */
function serving(text: string, status = 200): ServerService {
  const send: SendToServer = () =>
    Promise.resolve({ status, body: ReadableStream.from([new TextEncoder().encode(text)]) });
  return new ServerService(send);
}

const node = (fields: object) =>
  JSON.stringify({ metadata: { name: "w" }, status: { nodes: { a: { id: "a", name: "a", ...fields } } } });

for (
  const [title, text, words] of [
    ["a page for people", "<html><body>Log in", 'it is no JSON: "<html><body>Log in"'],
    ["nothing", " \n", "it is empty"],
    ["null", "null", "expected object, received null"],
    ["a text", '"w"', "expected object, received string"],
    ["an object without metadata", "{}", "metadata: Invalid input: expected object"],
    ["a name that is a number", '{"metadata": {"name": 7}}', "metadata.name: Invalid input: expected string"],
    [
      "nodes that are a list",
      '{"metadata": {}, "status": {"nodes": []}}',
      "status.nodes: Invalid input: expected record",
    ],
    ["a node without a name", node({ name: null }), "status.nodes.a.name: Invalid input: expected string"],
    ["children that are a text", node({ children: "b" }), "status.nodes.a.children: Invalid input: expected array"],
  ] as const
) {
  Deno.test(`a workflow that is ${title} cannot be read, which is told with its place and is final`, async () => {
    const error = await assertRejects(() => serving(text).get("n", "w"), UnreadableAnswer, words);
    assertEquals([error.message.includes("/api/v1/workflows/n/w"), sortError(error)], [true, "fatal"]);
  });
}

Deno.test("what nobody looks at stays as it is, and what Go sends for nothing is nothing", async () => {
  const own = { metadata: { name: "w", other: 1 }, spec: { any: ["thing"] }, more: {} };
  const sent = { ...own, metadata: { ...own.metadata, creationTimestamp: null }, status: { nodes: null } };
  assertEquals<unknown>(await serving(JSON.stringify(sent)).get("n", "w"), { ...own, status: { nodes: null } });
  assertEquals(await serving('{"items": null, "metadata": {}}').list("n"), { items: [] });
  assertEquals(await serving('{"items": null}').templates.list("n"), []);
});

Deno.test("an item of a list, or of a stream, that cannot be read is told with its place", async () => {
  await assertRejects(() => serving('{"items": [{"metadata": {}}, 7]}').list("n"), UnreadableAnswer, "items.1: ");
  await assertRejects(() => serving('{"items": {}}').templates.list("n"), UnreadableAnswer, "items: ");
  const first = async (text: string) => {
    for await (const change of serving(text).watch("n", {}, new AbortController().signal)) return change;
  };
  const change = (type: string) => `data: {"result": {"type": "${type}", "object": {"metadata": {"name": "w"}}}}\n\n`;
  assertEquals(await first(`:\n${change("ADDED")}`), { type: "ADDED", object: { metadata: { name: "w" } } } as never);
  await assertRejects(() => first(change("LOST")), UnreadableAnswer, "type: ");
  await assertRejects(() => first("data: null       \n"), UnreadableAnswer, "expected object");
  await assertRejects(() => first("data: half of a m\n"), UnreadableAnswer, "no JSON");
  const refused = await assertRejects(() => first('data: {"error": {"http_code": 403, "message": "no"}}\n'), KubeError);
  assertEquals([refused.status, refused.message], [403, "no"]);
});
