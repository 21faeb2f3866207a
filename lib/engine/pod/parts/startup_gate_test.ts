import { assertEquals } from "@std/assert";
import type { Template } from "@tiphys/model/api";
import { containerOf, LEGACY_LAYOUT, podFor } from "../testing/pod_request.ts";

const CONTAINER: Template = { container: { image: "busybox", command: ["sh"] } };
const PROBE = { tcpSocket: { port: 80 } };

function gateOf(template: Template, name = "main", changes = {}): string[] | undefined {
  return containerOf(podFor(template, changes), name).startupProbe?.exec?.command;
}

Deno.test("startupGate() makes a daemon ready when the user's process runs, not while inputs are loaded (IL-64)", () => {
  assertEquals(gateOf({ ...CONTAINER, daemon: true }), ["/argo-bin/bin/argoexec", "ready"]);
  assertEquals(gateOf(CONTAINER), undefined);
});

Deno.test("startupGate() delays liveness and readiness probes, including those of sidecars", () => {
  const container = { ...CONTAINER.container, livenessProbe: PROBE };
  assertEquals(gateOf({ container })?.at(-1), "ready");
  const sidecars = [{ name: "s", image: "busybox", command: ["sh"], readinessProbe: PROBE }];
  assertEquals(gateOf({ ...CONTAINER, sidecars }, "s")?.at(-1), "ready");
});

Deno.test("startupGate() does not kill a container whose inputs take long", () => {
  const probe = containerOf(podFor({ ...CONTAINER, daemon: true }), "main").startupProbe;
  assertEquals(probe?.failureThreshold, 2147483647);
});

Deno.test("startupGate() keeps a startup probe of the user", () => {
  const container = { ...CONTAINER.container, startupProbe: PROBE, livenessProbe: PROBE };
  assertEquals(containerOf(podFor({ container }), "main").startupProbe, PROBE);
});

Deno.test("startupGate() considers probes that a patch adds", () => {
  const podSpecPatch = JSON.stringify({ containers: [{ name: "main", readinessProbe: PROBE }] });
  assertEquals(gateOf({ ...CONTAINER, podSpecPatch })?.at(-1), "ready");
});

Deno.test("startupGate() is not needed in the legacy layout, where main starts after its inputs", () => {
  assertEquals(gateOf({ ...CONTAINER, daemon: true }, "main", LEGACY_LAYOUT), undefined);
});
