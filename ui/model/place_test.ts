import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  addressOf,
  EVENT_LISTS,
  type Page,
  type PageAddress,
  parsePageAddress,
  valuesOf,
  WIDGETS,
  withValues,
} from "./place.ts";

/** Objects with the usual prototype. */
function plain<T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(model, { noNullPrototype: true }) as fc.Arbitrary<T>;
}

const name = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.isWellFormed());
const namespace = fc.oneof(fc.constant(""), name);
const page: fc.Arbitrary<Page> = fc.oneof(
  plain({ kind: fc.constantFrom("runs" as const, "templates" as const, "crons" as const), namespace }),
  plain({ kind: fc.constantFrom("reports" as const, "event-flow" as const), namespace }),
  plain({ kind: fc.constant("widget" as const), widget: fc.constantFrom(...WIDGETS), namespace }),
  plain({
    kind: fc.constant("events" as const),
    list: fc.constantFrom(...EVENT_LISTS),
    namespace: name,
    name: fc.option(name, { nil: undefined }),
  }),
  plain({ kind: fc.constantFrom("run" as const, "template" as const, "cron" as const), namespace: name, name }),
  plain({ kind: fc.constant("cluster-template" as const), name }),
  plain({
    kind: fc.constantFrom(
      "cluster-templates" as const,
      "login" as const,
      "you" as const,
      "help" as const,
      "api" as const,
    ),
  }),
);
const query = fc.array(fc.tuple(name, fc.string().filter((text) => text.isWellFormed())), { maxLength: 5 });

Deno.test("parsePageAddress: parses every address that addressOf writes, for any names", () => {
  fc.assert(fc.property(plain({ page, query }), (place: PageAddress) => {
    assertEquals(parsePageAddress(addressOf(place)), place);
  }));
});

Deno.test("readPlace: parses any text, and the address of the result has the same meaning", () => {
  fc.assert(fc.property(fc.webPath(), fc.webQueryParameters(), (path, search) => {
    const place = parsePageAddress(`${path}?${search}`);
    if (place.page.kind !== "unknown") assertEquals(parsePageAddress(addressOf(place)), place);
  }));
});

Deno.test("readPlace: bookmarks of Argo's page lead to the same pages", () => {
  const cases: readonly (readonly [string, Page])[] = [
    ["/", { kind: "runs", namespace: "" }],
    ["/timeline", { kind: "runs", namespace: "" }],
    ["/workflows/argo", { kind: "runs", namespace: "argo" }],
    ["/workflows/argo/hello-7x2", { kind: "run", namespace: "argo", name: "hello-7x2" }],
    ["/workflow-templates/argo/build", { kind: "template", namespace: "argo", name: "build" }],
    ["/cluster-workflow-templates/build", { kind: "cluster-template", name: "build" }],
    ["/cron-workflows/argo/nightly", { kind: "cron", namespace: "argo", name: "nightly" }],
    ["/reports/argo", { kind: "reports", namespace: "argo" }],
    ["/event-flow", { kind: "event-flow", namespace: "" }],
    ["/event-flow/argo", { kind: "event-flow", namespace: "argo" }],
    ["/widgets/workflow-graphs/argo", { kind: "widget", widget: "workflow-graphs", namespace: "argo" }],
    ["/widgets/workflow-status-badges/argo", { kind: "widget", widget: "workflow-status-badges", namespace: "argo" }],
    ["/widgets/other/argo", { kind: "unknown", path: "/widgets/other/argo" }],
    ["/sensors/argo/build", { kind: "events", list: "sensors", namespace: "argo", name: "build" }],
    ["/userinfo", { kind: "you" }],
    ["/login", { kind: "login" }],
    ["/help", { kind: "help" }],
    ["/apidocs", { kind: "api" }],
    ["/plugins/data", { kind: "help" }],
  ];
  for (const [address, page] of cases) assertEquals(parsePageAddress(address).page, page, address);
});

Deno.test("withValues: keeps the other parameters", () => {
  const query = parsePageAddress("/workflows?phase=Failed&label=a%3D1&phase=Error&limit=50").query;
  assertEquals(valuesOf(query, "phase"), ["Failed", "Error"]);
  const next = withValues(query, { phase: ["Running"], limit: undefined, Contains: "etl" });
  assertEquals(next, [["label", "a=1"], ["phase", "Running"], ["Contains", "etl"]]);
});
