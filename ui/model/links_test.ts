import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import type { LinkSetting } from "../api/source.ts";
import { objectLinks, plainLinks, podLinks, runLinks } from "./links.ts";

const RUN: Workflow = {
  metadata: { name: "etl", namespace: "data", labels: { "app.kubernetes.io/name": "a b" } },
  spec: {},
  status: { phase: "Running", startedAt: "2026-01-01T00:00:00Z" },
};
const link = (url: string, scope = "workflow"): LinkSetting => ({ name: "x", scope, url });
const hrefOf = (url: string, run = RUN) => runLinks([link(url)], "workflow", run, 1_800_000_000_000)[0]?.href;

Deno.test("runLinks: fills in fields of the run, also labels whose keys contain dots, and escapes values", () => {
  assertEquals(
    hrefOf("https://logs.example/?ns=${metadata.namespace}&app=${workflow.metadata.labels.app.kubernetes.io/name}"),
    "https://logs.example/?ns=data&app=a%20b",
  );
  assertEquals(hrefOf("https://logs.example/${metadata.labels.none}/${}"), "https://logs.example//${}");
});

Deno.test("runLinks: a lone surrogate in a value does not break the link", () => {
  const run = { ...RUN, metadata: { ...RUN.metadata, annotations: { note: "a\ud800b" } } };
  assertEquals(hrefOf("https://a.example/?n=${metadata.annotations.note}", run), "https://a.example/?n=a%EF%BF%BDb");
});

Deno.test("runLinks: a running workflow ends now", () => {
  const url = "https://g.example/?from=${status.startedAtEpoch}&to=${status.finishedAtEpoch}";
  assertEquals(hrefOf(url), "https://g.example/?from=1767225600000&to=1800000000000");
  const over = { ...RUN, status: { ...RUN.status, finishedAt: "2026-01-01T00:01:00Z" } };
  assertEquals(hrefOf(url, over), "https://g.example/?from=1767225600000&to=1767225660000");
});

Deno.test("podLinks: a pod has its own name, and the run as workflow", () => {
  const [pod] = podLinks([link("https://p.example/${metadata.name}/${workflow.metadata.name}", "pod")], "pod", {
    run: RUN,
    podName: "etl-1",
    node: {},
    now: 0,
  });
  assertEquals(pod?.href, "https://p.example/etl-1/etl");
});

Deno.test("objectLinks: an event source has its namespace and its name", () => {
  const links = [link("https://l.example/${metadata.namespace}/${metadata.name}/${status.startedAt}", "sensor-logs")];
  const [first] = objectLinks(links, "sensor-logs", { namespace: "data", name: "ci" });
  assertEquals([first?.href, objectLinks(links, "event-source-logs", {})], ["https://l.example/data/ci/", []]);
});

Deno.test("links: links of other scopes and scripts are left out", () => {
  assertEquals(
    plainLinks([link("https://a.example/", "pod"), link("https://b.example/", "workflow-list")], "workflow-list"),
    [
      { name: "x", href: "https://b.example/", target: undefined },
    ],
  );
  assertEquals([hrefOf("javascript:alert(1)"), hrefOf(" java\nscript:alert(1)"), hrefOf("data:text/html,a")], [
    undefined,
    undefined,
    undefined,
  ]);
});
