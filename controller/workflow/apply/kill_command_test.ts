import { assertEquals } from "@std/assert";
import type { Pod, Template } from "@tiphys/model/api";
import { CONFIG, LEGACY_LAYOUT, podFor } from "../../../lib/engine/pod/testing/pod_request.ts";
import { killCommand } from "./kill_command.ts";

function pod(mounts: string[], annotations: Record<string, string> = {}): Pod {
  return {
    metadata: { name: "p", annotations },
    spec: {
      containers: [
        { name: "main", volumeMounts: mounts.map((mountPath, index) => ({ name: `v${index}`, mountPath })) },
        { name: "supervisor" },
      ],
    },
  };
}

Deno.test("killCommand(): uses the executable of the image volume if both are mounted (IL-44)", () => {
  assertEquals(killCommand(pod(["/var/run/argo", "/argo-bin"]), "main", 15), [
    "/argo-bin/bin/argoexec",
    "kill",
    "15",
    "1",
  ]);
});

Deno.test("killCommand(): uses the copied executable in the legacy layout (IL-44)", () => {
  assertEquals(killCommand(pod(["/var/run/argo"]), "main", 9), ["/var/run/argo/argoexec", "kill", "9", "1"]);
});

Deno.test("killCommand(): uses the shell without an executor, and the bare name in the executor's own container (IL-44)", () => {
  assertEquals(killCommand(pod([]), "main", 15), ["/bin/sh", "-c", "kill -15 1"]);
  assertEquals(killCommand(pod([]), "supervisor", 15), ["argoexec", "kill", "15", "1"]);
});

Deno.test("killCommand(): uses the annotation of the pod (IL-44)", () => {
  const annotations = { "workflows.argoproj.io/kill-cmd-main": '["stop","-s","%d"]' };
  assertEquals(killCommand(pod(["/argo-bin"], annotations), "main", 15), ["stop", "-s", "15"]);
});

Deno.test("killCommand(): ignores an annotation that is not a command, and runs no user command in the executor's containers", () => {
  const usual = ["/argo-bin/bin/argoexec", "kill", "15", "1"];
  for (const annotation of ["", "{", "null", "[]", '"stop"', '{"a": 1}']) {
    const annotations = { "workflows.argoproj.io/kill-cmd-main": annotation };
    assertEquals(killCommand(pod(["/argo-bin"], annotations), "main", 15), usual, annotation);
  }
  for (const ours of ["supervisor", "wait"]) {
    const annotations = { [`workflows.argoproj.io/kill-cmd-${ours}`]: '["cat", "/var/run/secrets/token"]' };
    assertEquals(killCommand(pod([], annotations), ours, 15), ["argoexec", "kill", "15", "1"]);
  }
});

const IMAGE = { image: "busybox", command: ["sh"] };
const S3 = { s3: { key: "k", bucket: "b", endpoint: "e" } };
const TEMPLATES: Readonly<Record<string, Template>> = {
  container: { container: IMAGE },
  "container with the executor's image": { container: { image: CONFIG.image, command: ["argoexec", "version"] } },
  script: { script: { ...IMAGE, source: "exit 0" } },
  containerSet: { containerSet: { containers: [{ name: "a", ...IMAGE }, { name: "main", ...IMAGE }] } },
  resource: { resource: { action: "get", manifest: "kind: Pod" } },
  "resource with archived logs": { resource: { action: "get" }, archiveLocation: { archiveLogs: true, ...S3 } },
  "resource with a manifest from an artifact": {
    resource: { action: "create", manifestFrom: { artifact: { name: "m" } } },
    inputs: { artifacts: [{ name: "m", path: "/tmp/m", raw: { data: "x" } }] },
  },
  data: { data: { source: { artifactPaths: { name: "paths", ...S3 } }, transformation: [] } },
  sidecars: { container: IMAGE, sidecars: [{ name: "beside", ...IMAGE }] },
};

for (const [name, template] of Object.entries(TEMPLATES)) {
  for (const [layout, changes] of [["init-less", {}], ["legacy", LEGACY_LAYOUT]] as const) {
    Deno.test(`killCommand(): ${name}, ${layout} layout, uses the executor that each container starts`, () => {
      const pod = podFor(template, changes);
      for (const { name, command } of pod.spec.containers) {
        assertEquals(killCommand(pod, name, 15), [command![0], "kill", "15", "1"], name);
      }
    });
  }
}

Deno.test("killCommand(): a webhook that replaces the command does not affect the executor of the pod's layout", () => {
  for (
    const [changes, argoexec] of [[{}, "/argo-bin/bin/argoexec"], [LEGACY_LAYOUT, "/var/run/argo/argoexec"]] as const
  ) {
    const pod = podFor({ resource: { action: "get" } }, changes);
    for (const container of pod.spec.containers) container.command = ["/vault/env", ...container.command!];
    assertEquals(killCommand(pod, "main", 15), [argoexec, "kill", "15", "1"]);
  }
});
