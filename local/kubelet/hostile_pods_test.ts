/** Pods that cannot run as specified, each followed by a canary: a hostile pod must only affect itself. */

import { assert, assertEquals } from "@std/assert";
import type { Pod, PodSpec } from "@tiphys/model/api";
import { canMakePrograms } from "@tiphys/portable/elf";
import { CONFIGMAPS, PODS, SECRETS } from "@tiphys/kube";
import { needs } from "../../lib/base/testing/needs.ts";
import { awaitFact } from "../../tests/await_fact.ts";
import { createApiServer } from "../api/mod.ts";
import { podsFolder, startKubelet } from "./kubelet.ts";
import { hostRuntime } from "./runtime/host.ts";
import { removeTree } from "../image/remove_tree.ts";

type Fields = Record<string, unknown>;

const KIB = 1024;
const SECRET = "c4n4ry-of-a-secret";
const main: Fields = { name: "main", image: "busybox", command: ["true"] };

/** A pod of one container with these fields. */
function podWith(fields: Fields, rest: Fields = {}): Fields {
  return { containers: [{ ...main, ...fields }], ...rest };
}

const emptyDir = { volumes: [{ name: "v", emptyDir: {} }] };
const mounted = (mount: Fields) => podWith({ volumeMounts: [{ name: "v", ...mount }] }, emptyDir);
const probed = (probe: Fields) =>
  podWith({ command: ["sleep", "0.3"], readinessProbe: { exec: { command: ["true"] }, ...probe } });
const references = (count: number) => "$(A)".repeat(count);

/** The pods to try, and a pattern for their status, unless they may end in any way. */
const PODS_TO_TRY: readonly (readonly [string, Fields, RegExp?])[] = [
  ["a path of 100,000 folders", mounted({ mountPath: "/a".repeat(100 * KIB) }), /more than 4095 bytes/],
  ["a subPath of 400,000 folders", mounted({ mountPath: "/m", subPath: "a/".repeat(400 * KIB) }), /more than 4095/],
  ["a working folder of 400,000 folders", podWith({ workingDir: "/a".repeat(100 * KIB) }), /more than 4095 bytes/],
  ["a path of dots", mounted({ mountPath: "/../../..//." }), /cannot be mounted at \//],
  ["a name of 300 bytes in a path", mounted({ mountPath: `/${"n".repeat(300)}` })],
  [
    "50 paths of 2,000 folders",
    podWith({
      volumeMounts: Array.from(
        { length: 50 },
        (_, index) => ({ name: "v", mountPath: `/${index}${"/a".repeat(2000)}` }),
      ),
    }, emptyDir),
    /limited to (100000 calls|16777216 bytes of data)/,
  ],
  ["a termination message at the root", podWith({ terminationMessagePath: "/" }), /cannot be mounted at \//],
  [
    "a termination message far up",
    podWith({ terminationMessagePath: "../../../../../../../../../../etc/tiphys-canary" }),
  ],
  ["a NUL in a path", mounted({ mountPath: "/a\0b" }), /contains a NUL/],
  ["a NUL in a word", podWith({ command: ["echo", "a\0b"] }), /word 1 of the command contains a NUL/],
  [
    "a NUL in the value of a secret",
    podWith({ env: [{ name: "S", valueFrom: { secretKeyRef: { name: "s", key: "nul" } } }] }),
    /variable S contains a NUL/,
  ],
  ["a NUL in the value of a secret of a sidecar", {
    containers: [main],
    initContainers: [{ ...main, name: "aside", restartPolicy: "Always", envFrom: [{ secretRef: { name: "s" } }] }],
  }],
  ["a secret as the name of a variable", podWith({ env: [{ name: "a=b", value: SECRET }] }), /invalid variable name/],
  ["a word of a megabyte", podWith({ args: ["x".repeat(KIB * KIB)] }), /more than 131071 bytes/],
  [
    "references that multiply",
    podWith({
      env: [
        { name: "A", value: "x".repeat(100 * KIB) },
        ...Array.from({ length: 5000 }, (_, index) => ({ name: `B${index}`, value: "$(A)" })),
      ],
    }),
    /more than 6291456 bytes/,
  ],
  [
    "references that multiply in a word",
    podWith({
      env: [{ name: "A", value: "x".repeat(KIB) }],
      args: [references(100 * KIB)],
    }),
    /more than 131071 bytes/,
  ],
  ["references without an end", podWith({ args: ["$(".repeat(200 * KIB)] }), /more than 131071 bytes/],
  [
    "a search path of 20,000 folders",
    podWith({
      command: ["n".repeat(4000)],
      env: [{ name: "PATH", value: Array.from({ length: 20_000 }, (_, index) => index).join(":") }],
    }),
    /limited to (100000 calls|16777216 bytes of data)/,
  ],
  ["a limit that is not a quantity", podWith({ resources: { limits: { memory: "much" } } })],
  ["a limit of a sidecar that is not a quantity", {
    containers: [main],
    initContainers: [{ ...main, name: "aside", restartPolicy: "Always", resources: { limits: { memory: "much" } } }],
  }],
  [
    "a field that does not exist",
    podWith({ env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "status.secret" } } }] }),
    /unsupported fieldPath/,
  ],
  [
    "a volume mode with a setuid bit",
    podWith({ volumeMounts: [{ name: "c", mountPath: "/c" }] }, {
      volumes: [{ name: "c", configMap: { name: "c", defaultMode: 0o4755 } }],
    }),
    /to be 0 to 0777/,
  ],
  [
    "a key that leads outside of the volume",
    podWith({}, { volumes: [{ name: "c", configMap: { name: "c", items: [{ key: "k", path: "../../k" }] } }] }),
    /within the volume/,
  ],
  [
    "a key of 300 bytes",
    podWith({}, {
      volumes: [{ name: "c", configMap: { name: "c", items: [{ key: "k", path: "k".repeat(300) }] } }],
    }),
  ],
  ["a user that is not a number", podWith({ securityContext: { runAsUser: "root" } })],
  ["a negative user", podWith({ securityContext: { runAsUser: -5 } })],
  ["a user above the maximum", podWith({ securityContext: { runAsUser: 2 ** 40, runAsGroup: 2 ** 32 - 1 } })],
  ["a probe with a negative timeout", probed({ timeoutSeconds: -1 })],
  ["a probe with an infinite timeout", probed({ timeoutSeconds: 1e300 })],
  ["a probe with a tiny period", probed({ periodSeconds: 1e-9 })],
  [
    "a probe with strings for numbers",
    probed({ periodSeconds: "often", initialDelaySeconds: "now", timeoutSeconds: [] }),
  ],
  [
    "a probe of a local file",
    probed({ exec: undefined, httpGet: { scheme: "FILE", host: "", port: 1, path: "/etc/passwd" } }),
  ],
  ["a probe that is not an object", podWith({ readinessProbe: "yes" })],
  ["a host name of 5,000 characters", podWith({}, { hostname: "h".repeat(5000) })],
  ["a negative grace period", podWith({}, { terminationGracePeriodSeconds: -1e300 })],
  [
    "a deadline that is not a number",
    podWith({}, { activeDeadlineSeconds: "soon" }),
    /activeDeadlineSeconds: expected number/,
  ],
  ["an entry that is not a container", { containers: [main, null, "text", 7] }],
  ["an entry that is not a volume", podWith({}, { volumes: [null, "text", { name: 7 }] })],
  ["a command that is not a list", podWith({ command: { 0: "true" }, args: 7 })],
  ["a container named __proto__", podWith({ name: "__proto__" })],
  ["two containers with the same name", { containers: [main, main] }],
];

const available = canMakePrograms() && await isAvailable();

async function isAvailable(): Promise<boolean> {
  const folder = await Deno.makeTempDir();
  try {
    await (await hostRuntime({ folder })).close();
    return true;
  } catch {
    return false;
  } finally {
    await removeTree(folder);
  }
}

Deno.test({
  ...needs("namespaces", available, "kubelet: continues after any hostile pod, and reveals no value of a secret"),
  async fn(context) {
    const folder = await Deno.makeTempDir();
    const api = createApiServer({ storePath: ":memory:" });
    const client = api.client();
    await Deno.mkdir(podsFolder(folder), { recursive: true });
    const complaints: string[] = [];
    const kubelet = await startKubelet({
      client,
      dataDir: folder,
      executor: { image: "argoexec", folder },
      api: { url: "http://127.0.0.1:1" },
      runtime: await hostRuntime({ folder: podsFolder(folder) }),
      onError: (what, error) => complaints.push(`${what}: ${error}`),
    });
    api.useKubelet(kubelet.hooks);
    await client.create(CONFIGMAPS, "default", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "c" },
      data: { k: "v" },
    });
    await client.create(SECRETS, "default", {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s" },
      stringData: { nul: `${SECRET}\0${SECRET}` },
    });

    async function create(name: string, spec: Fields): Promise<boolean> {
      const pod = { apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { restartPolicy: "Never", ...spec } };
      return await client.create(PODS, "default", pod as unknown as Pod).then(() => true, () => false);
    }
    const get = (name: string) => client.get<Pod>(PODS, "default", name);
    const phaseOf = async (name: string) => (await get(name)).status?.phase;

    for (const [place, [what, spec, said]] of PODS_TO_TRY.entries()) {
      await context.step(what, async () => {
        const taken = await create(`hostile-${place}`, { terminationGracePeriodSeconds: 0, ...spec });
        await create(`canary-${place}`, podWith({}) as Partial<PodSpec>);
        await awaitFact("the canary ends well", async () => await phaseOf(`canary-${place}`) === "Succeeded", {
          seconds: 60,
        });
        if (said) {
          assert(taken);
          const tells = async () => said.test(JSON.stringify((await get(`hostile-${place}`)).status));
          await awaitFact(`its status says ${said}`, tells, { seconds: 60 });
        }
        if (taken) assert(!JSON.stringify((await get(`hostile-${place}`)).status ?? {}).includes(SECRET));
        if (taken) await client.delete(PODS, "default", `hostile-${place}`, { gracePeriodSeconds: 0 });
      });
    }
    await kubelet.close();
    api.close();
    await removeTree(folder);
    assertEquals(complaints.filter((text) => text.includes(SECRET)), []);
  },
});
