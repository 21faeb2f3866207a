import { assertEquals, assertStringIncludes } from "@std/assert";
import { parseYaml } from "@tiphys/model/yaml";
import { FakeWorld } from "../testing/fake_world.ts";

const CRON = `# An old one.
apiVersion: argoproj.io/v1alpha1
kind: CronWorkflow
metadata: {name: c}
spec:
  schedule: "1 * * * *"
  schedules: ["2 * * * *"]
  workflowSpec:
    entrypoint: main
    synchronization: {mutex: {name: m}, mutexes: [{name: x}]}
    templates:
    - name: main
      synchronization: {semaphore: {configMapKeyRef: {name: s, key: k}}}
      steps: [[{name: a, inline: {suspend: {}, synchronization: {mutex: {name: inner}}}}]]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: other}
data: {mutex: kept}
`;

async function converted(files: Record<string, string>, ...args: string[]): Promise<string> {
  using world = new FakeWorld({ files });
  assertEquals(await world.run("convert", ...args), 0, world.errors);
  return world.output;
}

Deno.test("convert: replaces deprecated fields, also within steps, and leaves objects of other kinds unchanged", async () => {
  const text = await converted({ "old.yaml": CRON }, "old.yaml");
  assertEquals(text.startsWith("---\napiVersion: argoproj.io/v1alpha1\nkind: CronWorkflow\n"), true, text);
  const [cron, other] = parseYaml(text).map(({ value }) => value as Record<string, unknown>);
  assertEquals(cron?.spec, {
    schedules: ["1 * * * *"],
    workflowSpec: {
      entrypoint: "main",
      synchronization: { mutexes: [{ name: "x" }, { name: "m" }] },
      templates: [{
        name: "main",
        synchronization: { semaphores: [{ configMapKeyRef: { name: "s", key: "k" } }] },
        steps: [[{ name: "a", inline: { suspend: {}, synchronization: { mutexes: [{ name: "inner" }] } } }]],
      }],
    },
  });
  assertEquals(other?.data, { mutex: "kept" });
});

Deno.test("convert: is idempotent", async () => {
  const once = await converted({ "old.yaml": CRON }, "old.yaml");
  assertEquals(await converted({ "new.yaml": once }, "new.yaml"), once);
});

Deno.test("convert: a JSON file stays JSON without -o, and the items of a List are converted", async () => {
  const item = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w" },
    spec: { synchronization: { mutex: { name: "m" } } },
  };
  const files = { "list.json": JSON.stringify({ apiVersion: "v1", kind: "List", items: [item] }) };
  const { items } = JSON.parse(await converted(files, "list.json"));
  assertEquals(items[0].spec, { synchronization: { mutexes: [{ name: "m" }] } });
  assertStringIncludes(await converted(files, "list.json", "-o", "yaml"), "mutexes:\n");
});

Deno.test("convert: reports the position of a syntax error, and prints nothing", async () => {
  using world = new FakeWorld({ files: { "bad.yaml": "a: [1\n" } });
  assertEquals([await world.run("convert", "bad.yaml"), world.output], [2, ""]);
  assertStringIncludes(world.errors, "bad.yaml:");
});
