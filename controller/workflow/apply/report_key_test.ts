import { assertEquals, assertNotEquals } from "@std/assert";
import type { PodContainer } from "@tiphys/model/api";
import { ENV } from "@tiphys/base/constants";
import { withDecidedOn, withReportKey } from "./report_key.ts";

function keysOf(...containers: PodContainer[]): (string | undefined)[] {
  const { spec } = withReportKey({ metadata: { name: "p" }, spec: { containers } });
  return spec.containers.map(({ env }) => env?.find(({ name }) => name === ENV.reportKey)?.value);
}

const EMISSARY = ["/argo-bin/bin/argoexec", "emissary", "--"];
const executor = (command: string[]) => ({ name: "main", image: "argoexec", command });

Deno.test("withReportKey(): adds a key to the container that reports: the one next to main, or main if it is the executor", () => {
  const [main, beside] = keysOf({ name: "main", image: "busybox" }, { name: "supervisor", image: "argoexec" });
  assertEquals([main, typeof beside], [undefined, "string"]);
  for (const work of ["resource", "data"]) {
    const [alone] = keysOf(executor([...EMISSARY, "argoexec", work, "x"]));
    assertEquals(typeof alone, "string");
    const [own, aux] = keysOf(executor(["argoexec", work]), { name: "wait", image: "argoexec" });
    assertEquals([typeof own, own], ["string", aux]);
  }
});

Deno.test("withReportKey(): adds no key to a user's container, and removes one that the user set", () => {
  const env = [{ name: ENV.reportKey, value: "mine" }];
  const side = { name: "side", image: "busybox", command: ["argoexec", "resource"], env };
  const main = { name: "main", image: "busybox", command: ["argoexec", "resource"], env };
  const aux = { name: "supervisor", image: "argoexec", env };
  const [first, second, third] = keysOf(main, side, aux);
  assertEquals([first, second], [undefined, undefined]);
  assertNotEquals(third, "mine");
  const [sidecar, wait] = keysOf({ name: "supervisor", image: "busybox" }, { name: "wait", image: "argoexec" });
  assertEquals([sidecar, typeof wait], [undefined, "string"]);
});

Deno.test("withDecidedOn(): the only container of a pod without a report has no key, but the version of the workflow", () => {
  const env = [{ name: ENV.singleContainer, value: "true" }, { name: ENV.reportKey, value: "mine" }];
  const workflow = { apiVersion: "v1", kind: "Workflow", metadata: { resourceVersion: "7" }, spec: {} };
  for (const command of [EMISSARY, ["argoexec", "resource"]]) {
    const pod = { metadata: { name: "p" }, spec: { containers: [{ name: "main", image: "busybox", command, env }] } };
    const [main] = withDecidedOn(withReportKey(pod), workflow).spec.containers;
    assertEquals(main?.env, [env[0]!, { name: ENV.decidedOn, value: "7" }]);
  }
});
