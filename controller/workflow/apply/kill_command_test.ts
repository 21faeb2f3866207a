import { assertEquals } from "@std/assert";
import type { Pod } from "../../../lib/api/mod.ts";
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

Deno.test("killCommand() uses the image volume's binary where both mounts are there (IL-44)", () => {
  assertEquals(killCommand(pod(["/var/run/argo", "/argo-bin"]), "main", 15), [
    "/argo-bin/bin/argoexec",
    "kill",
    "15",
    "1",
  ]);
});

Deno.test("killCommand() uses the copied binary in the legacy layout (IL-44)", () => {
  assertEquals(killCommand(pod(["/var/run/argo"]), "main", 9), ["/var/run/argo/argoexec", "kill", "9", "1"]);
});

Deno.test("killCommand() uses the shell where there is no executor, and the bare name in the executor's own (IL-44)", () => {
  assertEquals(killCommand(pod([]), "main", 15), ["/bin/sh", "-c", "kill -15 1"]);
  assertEquals(killCommand(pod([]), "supervisor", 15), ["argoexec", "kill", "15", "1"]);
});

Deno.test("killCommand() obeys the annotation of the pod (IL-44)", () => {
  const annotations = { "workflows.argoproj.io/kill-cmd-main": '["stop","-s","%d"]' };
  assertEquals(killCommand(pod(["/argo-bin"], annotations), "main", 15), ["stop", "-s", "15"]);
});

Deno.test("killCommand() ends a pod whose annotation is no command, and runs none of a user's in a container of ours", () => {
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
