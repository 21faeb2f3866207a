import { assert, assertEquals } from "@std/assert";
import { simulate } from "../../../mod.ts";
import { previewRetry } from "../../../ui/model/run/retry_preview.ts";

const SOURCE = `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: w }
spec:
  entrypoint: main
  templates:
  - name: main
    steps: [[{ name: good, template: good }], [{ name: bad, template: bad }, { name: fine, template: good }]]
  - { name: good, container: { image: alpine, command: [work] } }
  - { name: bad, container: { image: alpine, command: [work] } }
`;
const WISH = { restartSuccessful: false, nodeFieldSelector: "", parameters: [] };

Deno.test("a node that failed runs again, and the rest stays", async () => {
  const { workflow } = await simulate(SOURCE, { templates: { bad: () => ({ exitCode: 1 }) } });
  const preview = previewRetry(workflow, WISH, new Date());
  assert(preview.kind === "plan");
  assertEquals([preview.again.map(({ displayName }) => displayName), preview.kept], [["bad"], 2]);
});

Deno.test("a node that succeeded takes with it what came after", async () => {
  const { workflow } = await simulate(SOURCE);
  const preview = previewRetry(
    workflow,
    { ...WISH, restartSuccessful: true, nodeFieldSelector: "displayName=good" },
    new Date(),
  );
  assert(preview.kind === "plan");
  assertEquals([preview.again.map(({ displayName }) => displayName).sort(), preview.kept], [
    ["bad", "fine", "good"],
    0,
  ]);
});

Deno.test("a run that cannot be retried says why", async () => {
  const { workflow } = await simulate(SOURCE);
  const preview = previewRetry(workflow, WISH, new Date());
  assert(preview.kind === "refused" && preview.reason.startsWith("To retry a succeeded workflow"));
});
