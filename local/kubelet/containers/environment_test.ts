import { assertEquals, assertRejects } from "@std/assert";
import type { Pod, PodContainer } from "@tiphys/model/api";
import { resolveEnvironment } from "./environment.ts";
import type { Content, Lookup } from "../volumes/lookup.ts";
import { SetupError } from "../setup_error.ts";

const pod: Pod = {
  metadata: { name: "p", namespace: "n", uid: "u", labels: { app: "a" }, annotations: { "x/y": "z" } },
  spec: {
    serviceAccountName: "sa",
    containers: [{ name: "main", resources: { limits: { cpu: "1500m", memory: "64Mi" }, requests: { cpu: "250m" } } }],
  },
};

function content(values: Record<string, string>): Content {
  return new Map(Object.entries(values).map(([key, value]) => [key, new TextEncoder().encode(value)]));
}

const lookup: Lookup = {
  configMap: (_, name) => Promise.resolve(name === "settings" ? content({ COLOR: "red", size: "1" }) : undefined),
  secret: (_, name) => Promise.resolve(name === "keys" ? content({ key: "s3cret" }) : undefined),
  token: () => Promise.resolve("token"),
};

async function resolve(container: Partial<PodContainer>, base: Record<string, string> = {}) {
  const address = { nodeName: "local", hostIP: "127.0.0.1", podIP: "127.0.0.2" };
  const sources = { pod, address, lookup, base: new Map(Object.entries(base)) };
  return Object.fromEntries(await resolveEnvironment({ name: "main", ...container }, sources));
}

Deno.test("resolveEnvironment: variables of the container override those of the image", async () => {
  assertEquals(await resolve({ env: [{ name: "PATH", value: "/mine" }] }, { PATH: "/image", HOME: "/root" }), {
    PATH: "/mine",
    HOME: "/root",
  });
});

Deno.test("resolveEnvironment: expands references to earlier variables only", async () => {
  const env = [{ name: "A", value: "1" }, { name: "B", value: "$(A)$(C)" }, { name: "C", value: "3" }];
  assertEquals((await resolve({ env })).B, "1$(C)");
});

Deno.test("resolveEnvironment: reads whole ConfigMaps and Secrets, with a prefix", async () => {
  const envFrom = [{ configMapRef: { name: "settings" } }, { prefix: "K_", secretRef: { name: "keys" } }];
  assertEquals(await resolve({ envFrom }), { COLOR: "red", size: "1", K_key: "s3cret" });
});

Deno.test("resolveEnvironment: reads single keys, fields of the pod and resources of the container", async () => {
  const from = (name: string, valueFrom: NonNullable<PodContainer["env"]>[number]["valueFrom"]) => ({
    name,
    valueFrom,
  });
  const env = [
    from("COLOR", { configMapKeyRef: { name: "settings", key: "COLOR" } }),
    from("KEY", { secretKeyRef: { name: "keys", key: "key" } }),
    from("NAME", { fieldRef: { fieldPath: "metadata.name" } }),
    from("APP", { fieldRef: { fieldPath: "metadata.labels['app']" } }),
    from("NOTE", { fieldRef: { fieldPath: "metadata.annotations['x/y']" } }),
    from("NODE", { fieldRef: { fieldPath: "spec.nodeName" } }),
    from("IP", { fieldRef: { fieldPath: "status.podIP" } }),
    from("CPU", { resourceFieldRef: { resource: "limits.cpu" } }),
    from("MILLICPU", { resourceFieldRef: { resource: "requests.cpu", divisor: "1m" } }),
    from("MEBIBYTES", { resourceFieldRef: { resource: "limits.memory", divisor: "1Mi" } }),
  ];
  assertEquals(await resolve({ env, ...pod.spec.containers[0] }), {
    COLOR: "red",
    KEY: "s3cret",
    NAME: "p",
    APP: "a",
    NOTE: "z",
    NODE: "local",
    IP: "127.0.0.2",
    CPU: "2",
    MILLICPU: "250",
    MEBIBYTES: "64",
  });
});

Deno.test("resolveEnvironment: omits optional sources that are missing", async () => {
  const env = [
    { name: "A", valueFrom: { configMapKeyRef: { name: "none", key: "k", optional: true } } },
    { name: "B", valueFrom: { secretKeyRef: { name: "keys", key: "none", optional: true } } },
  ];
  assertEquals(await resolve({ env, envFrom: [{ configMapRef: { name: "none", optional: true } }] }), {});
});

const missing: readonly { rule: string; container: Partial<PodContainer>; message: string }[] = [
  {
    rule: "a ConfigMap",
    container: { envFrom: [{ configMapRef: { name: "none" } }] },
    message: 'configmap "none" not found',
  },
  {
    rule: "a key",
    container: { env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "settings", key: "none" } } }] },
    message: "couldn't find key none in ConfigMap n/settings",
  },
  {
    rule: "a field that Kubernetes does not offer",
    container: { env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "spec.color" } } }] },
    message: "unsupported fieldPath: spec.color",
  },
];

for (const { rule, container, message } of missing) {
  Deno.test(`resolveEnvironment: reports that ${rule} is missing, which is retried`, async () => {
    const error = await assertRejects(() => resolve(container), SetupError, message);
    assertEquals(error.reason, "CreateContainerConfigError");
  });
}
