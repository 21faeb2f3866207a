/** Tests of the mapping from gRPC messages to the routes of REST. */
import { assertEquals, assertThrows } from "@std/assert";
import { METHODS } from "@tiphys/proto";
import { ROUTES } from "../table.ts";
import { WireError } from "../wire/errors.ts";
import { bridgeMethods, inputOf } from "./bridge.ts";

function routeOf(id: string) {
  const found = ROUTES.find((route) => route.id === id);
  if (!found) throw new Error(`No route ${id}`);
  return found;
}

Deno.test("gRPC bridge: every method of Argo's services has a route", () => {
  const bridged = bridgeMethods(METHODS, ROUTES);
  assertEquals(METHODS.filter(({ path }) => !bridged.has(path)).map(({ path }) => path), []);
});

Deno.test("gRPC bridge: a method streams if its route streams", () => {
  for (const { method, route } of bridgeMethods(METHODS, ROUTES).values()) {
    assertEquals(method.isStream, route.isStream, method.id);
  }
});

Deno.test("gRPC bridge: message fields become path parameters and dotted query parameters", () => {
  const message = {
    namespace: "argo",
    listOptions: { labelSelector: "a=b", limit: 5, watch: true, unheard: 1 },
    fields: "items",
    nameFilter: "",
  };
  assertEquals(inputOf(routeOf("WorkflowService_ListWorkflows"), message), {
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

Deno.test("gRPC bridge: the payload of an event is passed as JSON unchanged", () => {
  const route = routeOf("EventService_ReceiveEvent");
  for (const payload of [{ a: [1] }, 5, "x", false, null]) {
    const { params, text } = inputOf(route, { namespace: "argo", discriminator: "d", payload });
    assertEquals([params, text], [{ namespace: "argo", discriminator: "d" }, JSON.stringify(payload)]);
  }
  assertEquals(inputOf(route, { namespace: "argo" }).text, "null");
});

Deno.test("gRPC bridge: a name cannot leave its path segment", () => {
  for (const name of ["../x", "a/b", "a\0", { a: 1 }]) {
    assertThrows(
      () => inputOf(routeOf("WorkflowService_GetWorkflow"), { namespace: "argo", name }),
      WireError,
      "name:",
    );
  }
});

Deno.test("gRPC bridge: query values are limited in total, as in REST", () => {
  const route = routeOf("WorkflowService_ListWorkflows");
  const message = (length: number) => ({ fields: "a".repeat(length), listOptions: { labelSelector: "b".repeat(384) } });
  assertEquals(inputOf(route, message(16_000)).query.fields, "a".repeat(16_000));
  assertThrows(() => inputOf(route, message(16_001)), WireError, "16384 characters");
});
