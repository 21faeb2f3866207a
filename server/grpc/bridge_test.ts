/** Messages on their way to the routes that REST has. */
import { assertEquals, assertThrows } from "@std/assert";
import { METHODS } from "../../lib/argo_proto/mod.ts";
import { ROUTES } from "../table.ts";
import { WireError } from "../wire/errors.ts";
import { bridge, givenBy } from "./bridge.ts";

function routeOf(id: string) {
  const found = ROUTES.find((one) => one.id === id);
  if (!found) throw new Error(`No route ${id}`);
  return found;
}

Deno.test("every method of Argo's services has a route", () => {
  const bridged = bridge(METHODS, ROUTES);
  assertEquals(METHODS.filter(({ path }) => !bridged.has(path)).map(({ path }) => path), []);
});

Deno.test("a method answers with a stream where its route does", () => {
  for (const { method, route } of bridge(METHODS, ROUTES).values()) {
    assertEquals(method.isStream, route.isStream, method.id);
  }
});

Deno.test("fields of a message are the names of the path, and the dotted names of the query", () => {
  const message = {
    namespace: "argo",
    listOptions: { labelSelector: "a=b", limit: 5, watch: true, unheard: 1 },
    fields: "items",
    nameFilter: "",
  };
  assertEquals(givenBy(routeOf("WorkflowService_ListWorkflows"), message), {
    params: { namespace: "argo" },
    query: {
      "listOptions.labelSelector": "a=b",
      "listOptions.limit": 5,
      "listOptions.watch": true,
      fields: "items",
      nameFilter: "",
    },
    body: {},
    text: "",
  });
});

Deno.test("the payload of an event is any JSON, as it was sent", () => {
  const route = routeOf("EventService_ReceiveEvent");
  for (const payload of [{ a: [1] }, 5, "x", false, null]) {
    const { params, text } = givenBy(route, { namespace: "argo", discriminator: "d", payload });
    assertEquals([params, text], [{ namespace: "argo", discriminator: "d" }, JSON.stringify(payload)]);
  }
  assertEquals(givenBy(route, { namespace: "argo" }).text, "null");
});

Deno.test("no name leads out of the path that it stands in", () => {
  for (const name of ["../x", "a/b", "a\0", { a: 1 }]) {
    assertThrows(
      () => givenBy(routeOf("WorkflowService_GetWorkflow"), { namespace: "argo", name }),
      WireError,
      "name:",
    );
  }
});

Deno.test("texts that REST has in its query are as long as a query may be at most, all of them together", () => {
  const route = routeOf("WorkflowService_ListWorkflows");
  const message = (length: number) => ({ fields: "a".repeat(length), listOptions: { labelSelector: "b".repeat(384) } });
  assertEquals(givenBy(route, message(16_000)).query.fields, "a".repeat(16_000));
  assertThrows(() => givenBy(route, message(16_001)), WireError, "16384 characters");
});
