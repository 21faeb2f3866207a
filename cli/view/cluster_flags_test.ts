import { assertEquals } from "@std/assert";
import { clusterFlagsText } from "./cluster_flags.ts";

const ROWS: readonly [Parameters<typeof clusterFlagsText>[0], string][] = [
  [{}, ""],
  [{ local: true }, " --local"],
  [{ local: true, data: "/d" }, " --data /d"],
  [{ data: "/my data", namespace: "dev" }, " --data '/my data' -n dev"],
  [{ kubeconfig: "k.yaml", context: "prod" }, " --kubeconfig k.yaml --context prod"],
  [{ argoServer: "argo:2746", namespace: "it's" }, ` --argo-server argo:2746 -n 'it'\\''s'`],
];

for (const [flags, text] of ROWS) {
  Deno.test(`cluster flags: ${JSON.stringify(flags)} are written as a shell reads them`, () => {
    assertEquals(clusterFlagsText(flags), text);
  });
}
