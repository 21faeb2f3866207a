import type { Pod } from "@tiphys/model/api";
import { PODS } from "@tiphys/kube";
import { awaitFact } from "../await_fact.ts";
import type { Stage } from "./case.ts";

/**
 * Runs a shell script as root in the process namespace of a pod's node, with the pod's ID in `$1`. It can act on any
 * process without cooperation, like the kernel.
 */
export async function runOnNodeOf(stage: Stage, pod: Pod, script: string): Promise<void> {
  const { client, namespace } = stage;
  const name = `on-node-${crypto.randomUUID().slice(0, 8)}`;
  await client.create(PODS, namespace, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: {
      restartPolicy: "Never",
      nodeName: pod.spec.nodeName,
      hostPID: true,
      containers: [{
        name: "main",
        image: "tiphys-test/busybox:1",
        command: ["sh", "-ec", script, "sh", pod.metadata.uid],
        securityContext: { privileged: true },
      }],
    },
  });
  const phase = async () => (await client.get<Pod>(PODS, namespace, name)).status?.phase;
  await awaitFact(`${name} ended well`, async () => await phase() === "Succeeded", { seconds: 120 });
  await client.delete(PODS, namespace, name, { gracePeriodSeconds: 0 });
}

/** Kills a container's first process, as the kernel does when memory is short. `word` is a word of its command line. */
export async function killOnNode(stage: Stage, pod: Pod, word: string): Promise<void> {
  await runOnNodeOf(
    stage,
    pod,
    `group=$(echo "$1" | sed 's/-/[-_]/g') killed=
    for process in /proc/[0-9]*; do
      grep -q "pod$group" $process/cgroup 2>/dev/null || continue
      tr '\\0' '\\n' <$process/cmdline | grep -qx ${word} || continue
      kill -9 \${process#/proc/} && killed=yes
    done
    [ "$killed" ]`,
  );
}
