import { assert, assertEquals } from "@std/assert";
import type { PodContainer } from "@tiphys/model/api";
import { buildAgentPod } from "./agent_pod.ts";
import { CONFIG } from "./testing/pod_request.ts";

const sidecar: PodContainer = { name: "slack", image: "example.com/slack", ports: [{ containerPort: 7522 }] };

function podOf(automountServiceAccountToken: boolean, names = ["slack"]) {
  const built = buildAgentPod({
    workflow: { name: "web", namespace: "default", uid: "uid-1" },
    spec: {},
    podName: "web-1340600742-agent",
    config: CONFIG,
    settings: { patchRate: "10s", cpuLimit: "100m", memoryLimit: "256M" },
    plugins: names.map((name) => ({ name, container: sidecar, automountServiceAccountToken })),
  });
  assert(built.ok);
  return built.pod.spec;
}

Deno.test("buildAgentPod: volumes are plugin tokens, folder, agent token, certificates; sidecars come before main (T-AG-15)", () => {
  const { volumes = [], containers, initContainers = [] } = podOf(true);
  const [plugin, folder, token, certificates] = volumes.map(({ name }) => name);
  assertEquals([plugin, folder, certificates], [
    "kube-api-access-plugin-0",
    "var-run-argo",
    "argo-workflows-agent-ca-certificates",
  ]);
  assert(/^kube-api-access-\d{5}$/.test(token ?? ""), token);
  assertEquals(containers.map(({ name }) => name), ["slack", "main"]);
  assertEquals(initContainers.map(({ name, args }) => [name, args?.slice(0, 2)]), [["init", ["agent", "init"]]]);
  assertEquals(containers[0]!.volumeMounts, [
    { name: "var-run-argo", mountPath: "/var/run/argo", readOnly: true, subPath: "slack" },
    {
      name: "kube-api-access-plugin-0",
      mountPath: "/var/run/secrets/kubernetes.io/serviceaccount",
      readOnly: true,
    },
  ]);
});

Deno.test("buildAgentPod: the token volumes of plugins have different names, whatever their names are", () => {
  const { volumes = [], containers } = podOf(true, ["a".repeat(240), "b.c", "b-c"]);
  const names = ["kube-api-access-plugin-0", "kube-api-access-plugin-1", "kube-api-access-plugin-2"];
  assertEquals(volumes.slice(0, 3).map(({ name }) => name), names);
  assertEquals(containers.slice(0, 3).map(({ volumeMounts }) => volumeMounts?.at(-1)?.name), names);
  assertEquals(volumes[1]?.secret?.secretName, "b.c-executor-plugin.service-account-token");
});

Deno.test("buildAgentPod: a plugin without automountServiceAccountToken mounts neither its token nor the agent's", () => {
  const { volumes = [], containers } = podOf(false);
  assertEquals(volumes.length, 3);
  assertEquals(containers[0]!.volumeMounts?.map(({ name }) => name), ["var-run-argo"]);
});

Deno.test("buildAgentPod: the settings restrict addresses, with a list of exempt servers", () => {
  const variables = (settings: object) => {
    const built = buildAgentPod({
      workflow: { name: "web", namespace: "default", uid: "uid-1" },
      spec: {},
      podName: "web-1340600742-agent",
      config: CONFIG,
      settings: { patchRate: "10s", cpuLimit: "100m", memoryLimit: "256M", ...settings },
      plugins: [],
    });
    assert(built.ok);
    const env = built.pod.spec.containers.at(-1)!.env ?? [];
    return env.filter(({ name }) => name.startsWith("TIPHYS_")).map(({ name, value }) => [name, value]);
  };
  assertEquals(variables({}), []);
  assertEquals(variables({ restrictsAddresses: true, allowedAddresses: "10.0.0.1" }), [
    ["TIPHYS_RESTRICT_ADDRESSES", "true"],
    ["TIPHYS_ALLOWED_ADDRESSES", "10.0.0.1"],
  ]);
});

Deno.test("buildAgentPod: scheduling in templateDefaults takes precedence over the workflow's, except for fields with tags", () => {
  const built = buildAgentPod({
    workflow: { name: "web", namespace: "default", uid: "uid-1" },
    spec: {
      schedulerName: "own",
      nodeSelector: { pool: "own" },
      templateDefaults: {
        nodeSelector: { pool: "calls" },
        tolerations: [{ key: "calls", operator: "Exists" }],
        schedulerName: "{{inputs.parameters.scheduler}}",
        container: { image: "alpine" },
      },
    },
    podName: "web-1340600742-agent",
    config: CONFIG,
    settings: { patchRate: "10s", cpuLimit: "100m", memoryLimit: "256M" },
    plugins: [],
  });
  assert(built.ok);
  const { nodeSelector, tolerations, schedulerName, containers } = built.pod.spec;
  assertEquals({ nodeSelector, tolerations, schedulerName }, {
    nodeSelector: { pool: "calls" },
    tolerations: [{ key: "calls", operator: "Exists" }],
    schedulerName: "own",
  });
  assertEquals(containers.map(({ name }) => name), ["main"]);
});
