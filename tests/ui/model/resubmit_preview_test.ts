import { assert, assertEquals } from "@std/assert";
import { simulate } from "../../../mod.ts";
import { previewResubmit } from "../../../ui/model/run/resubmit_preview.ts";

const SOURCE = `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { name: w }
spec:
  entrypoint: main
  arguments: { parameters: [{ name: region, value: eu }] }
  templates:
  - name: main
    steps: [[{ name: good, template: good }], [{ name: bad, template: bad }, { name: fine, template: good }]]
  - { name: good, container: { image: alpine, command: [work] } }
  - { name: bad, container: { image: alpine, command: [work] } }
`;

async function planResubmit(wish: { readonly memoized: boolean; readonly parameters?: readonly string[] }) {
  const { workflow } = await simulate(SOURCE, { templates: { bad: () => ({ exitCode: 1 }) } });
  return previewResubmit(workflow, { parameters: [], ...wish }, new Date());
}

const namesOf = (nodes: readonly { readonly displayName?: string | undefined }[]) =>
  nodes.map(({ displayName }) => displayName);

Deno.test("resubmit preview: memoized, it reuses outputs of succeeded nodes, and runs failed ones", async () => {
  const plan = await planResubmit({ memoized: true });
  assert(plan.kind === "plan");
  assertEquals([namesOf(plan.reused), namesOf(plan.repeated)], [["good", "fine"], ["bad"]]);
});

Deno.test("resubmit preview: otherwise, it reuses nothing", async () => {
  const plan = await planResubmit({ memoized: false, parameters: ["region=us"] });
  assert(plan.kind === "plan");
  assertEquals([namesOf(plan.reused), namesOf(plan.repeated)], [[], ["good", "bad", "fine"]]);
});

Deno.test("resubmit preview: a succeeded run cannot be resubmitted memoized", async () => {
  const { workflow } = await simulate(SOURCE);
  const plan = previewResubmit(workflow, { memoized: true, parameters: [] }, new Date());
  assertEquals(plan, { kind: "refused", reason: "workflow must be Failed/Error to resubmit in memoized mode" });
});
