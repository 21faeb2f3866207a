/** Argo's CLI with our server, for data that outlives pods and workflows: logs, artifacts, the archive. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { WORKFLOWS } from "@tiphys/kube";
import { needs } from "../../lib/base/testing/needs.ts";
import { listen } from "../../server/listen/listen.ts";
import { artifactBench } from "../../server/testing/artifact_bench.ts";
import { NAMESPACE, serverBench } from "../../server/testing/server_bench.ts";
import { ARGO_PROGRAM, kubeconfigOf } from "./argo_server.ts";
import { withoutVariableParts } from "./session.ts";

/** All rights that the commands need. */
const RIGHTS = [
  ...["get", "list", "watch", "create", "update", "delete"].map((verb) => (
    { verb, group: "argoproj.io", resource: "workflows" }
  )),
  ...["get", "list", "watch", "delete"].map((verb) => ({ verb, group: "", resource: "pods" })),
  { verb: "get", group: "", resource: "pods", subresource: "log" },
  { verb: "get", group: "", resource: "secrets" },
];

const FILES = { "main-logs": "one\ntwo\nthree\n", "report.txt": "all is well" };

/**
 * Values with different representations in JSON and protobuf: numbers as text, quantities, times, items of any type.
 */
const ODD = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { name: "odd", labels: { a: "" }, annotations: { text: 'ü "😀" <&>' } },
  spec: {
    entrypoint: "main",
    activeDeadlineSeconds: 9007199254740991,
    arguments: { parameters: [{ name: "number", value: "5" }, { name: "none", value: "" }] },
    templates: [{
      name: "main",
      steps: [[{ name: "loop", template: "one", withItems: [0, 1.5, "two", true, { x: 1 }, [1, "b"]] }]],
    }, {
      name: "one",
      retryStrategy: { limit: "3", backoff: { duration: "1m", factor: 2 } },
      container: {
        name: "",
        image: "busybox",
        ports: [{ containerPort: 80 }],
        resources: { limits: { cpu: "1500m", memory: "1Gi" } },
        livenessProbe: { httpGet: { path: "/", port: "web" } },
        readinessProbe: { tcpSocket: { port: 8080 } },
      },
    }],
  },
};

/** Empty fields: some are significant, such as a kind of volume, others are equivalent to absent ones. */
const EMPTY = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { name: "empty", labels: {}, annotations: {} },
  spec: {
    entrypoint: "main",
    arguments: { parameters: [], artifacts: [] },
    podGC: {},
    securityContext: {},
    priority: 0,
    suspend: false,
    ttlStrategy: { secondsAfterCompletion: 0 },
    volumes: [{ name: "scratch", emptyDir: {} }],
    templates: [{
      name: "main",
      suspend: {},
      inputs: { parameters: [{ name: "p", value: "", valueFrom: {} }] },
      synchronization: {},
      archiveLocation: { archiveLogs: false },
    }, {
      name: "other",
      retryStrategy: {},
      container: { name: "", image: "busybox", args: [], env: [{ name: "A", value: "" }], resources: {} },
      outputs: { artifacts: [{ name: "a", path: "/a", archive: { none: {} } }] },
    }],
  },
  status: {
    phase: "Running",
    progress: "",
    conditions: [],
    nodes: {
      empty: {
        id: "empty",
        name: "empty",
        displayName: "empty",
        type: "Suspend",
        phase: "Running",
        startedAt: "2026-01-01T00:00:00Z",
        inputs: {},
        outputs: { parameters: [{ name: "o", value: "" }], result: "" },
        children: [],
        resourcesDuration: {},
      },
    },
  },
};

/** A value without the empty fields that Argo's types serialize: null, empty objects and empty lists. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).map(([key, child]) => [key, withoutEmpty(child)] as const).filter(([, child]) =>
    child !== null && !(typeof child === "object" && Object.keys(child as object).length === 0)
  );
  return Object.fromEntries(kept);
}

for (const [mode, env] of Object.entries<Record<string, string>>({ "gRPC": {}, "HTTP/1": { ARGO_HTTP1: "true" } })) {
  Deno.test({
    ...needs(
      "ARGO_CLI, Argo's program",
      ARGO_PROGRAM !== undefined,
      `Argo's CLI: reads objects and logs, copies artifacts and acts on the archive: ${mode}`,
    ),
    async fn() {
      await using bench = await artifactBench(FILES, ["client"]);
      const { token } = await bench.server.account(RIGHTS);
      const listening = await listen({ hostname: "127.0.0.1", port: 0, tls: undefined, handler: bench.server.handler });
      const folder = await Deno.makeTempDir();
      const argo = async (...args: readonly string[]) => {
        const { code, stdout, stderr } = await new Deno.Command(ARGO_PROGRAM ?? "", {
          args: [...args],
          env: {
            ...env,
            ARGO_SERVER: `127.0.0.1:${listening.port}`,
            ARGO_SECURE: "false",
            ARGO_TOKEN: `Bearer ${token}`,
            ARGO_NAMESPACE: NAMESPACE,
            HOME: "/nonexistent",
          },
          clearEnv: true,
          cwd: folder,
        }).output();
        const text = new TextDecoder();
        const printed = text.decode(stdout) + text.decode(stderr);
        return { code, said: args.includes("json") ? printed : withoutVariableParts(printed) };
      };
      try {
        for (const name of ["w", "old"]) {
          const logs = async (...flags: readonly string[]) => {
            const { code, said } = await argo("logs", name, "--no-color", ...flags);
            // Each line begins with the pod's name, which starts with the workflow's name.
            return [code, ...said.split("\n").map((line) => line.startsWith(name) ? line.replace(/^.*?: /, "") : line)];
          };
          assertEquals(await logs(), [0, "one", "two", "three"], name);
          assertEquals(await logs("--tail", "1"), [0, "three"], name);
          assertEquals(await logs("--grep", "t.o"), [0, "two"], name);
        }
        const copied = await argo("cp", "w", "out", "--artifact-name", "report.txt");
        assertEquals(copied.code, 0, copied.said);
        const path = `${folder}/out/${NAMESPACE}/w/w/outputs/report.txt/report.txt`;
        assertEquals(await Deno.readTextFile(path), FILES["report.txt"]);
        const missing = await argo("cp", "w", "out", "--artifact-name", "nope");
        assertEquals([missing.code, await argo("cp", "nope", "out").then(({ code }) => code)], [0, 1], missing.said);

        await bench.server.admin.create(WORKFLOWS, NAMESPACE, ODD);
        const stored = await bench.server.admin.get(WORKFLOWS, NAMESPACE, "odd");
        const { code, said } = await argo("get", "odd", "-o", "json");
        // Protobuf messages have no kind and apiVersion, so the CLI cannot print them.
        const { apiVersion, kind, ...rest } = stored as unknown as Record<string, unknown>;
        const whole = mode === "gRPC" ? rest : { apiVersion, kind, ...rest };
        assertEquals([code, withoutEmpty(JSON.parse(said))], [0, withoutEmpty(whole)]);

        assertEquals((await argo("archive", "list", "-o", "name")).said, "old");
        const shown = await argo("archive", "get", "old");
        assertEquals(shown.code, 0, shown.said);
        assertStringIncludes(shown.said, "Name:  old");
        assertStringIncludes(shown.said, "Status:  Failed");
        assertEquals(
          (await argo("archive", "get", "uid-old", "-o", "name")).code,
          1,
          "an argument that is not a UID is a name",
        );
        const retried = await argo("archive", "retry", "old");
        assertEquals(retried.code, 0, retried.said);
        await bench.server.admin.get(WORKFLOWS, NAMESPACE, "old");
        const again = await argo("archive", "retry", "old");
        assertEquals(again.code, 1);
        assertStringIncludes(again.said, "Workflow already exists on cluster, use argo retry {name} instead");
        const made = await argo("archive", "resubmit", "old");
        assertEquals([made.code, made.said.split("\n")[0]], [0, "Name:  old-XXXXX"]);
        assertEquals(await argo("archive", "delete", "old"), { code: 0, said: "Archived workflow 'old' deleted" });
        assertEquals((await argo("archive", "list", "-o", "name")).said, "No workflows found");
      } finally {
        await listening.close();
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}

Deno.test({
  ...needs(
    "ARGO_CLI, Argo's program",
    ARGO_PROGRAM !== undefined,
    "Argo's CLI: prints the same bytes by gRPC as without a server, including empty fields",
  ),
  async fn() {
    await using bench = await serverBench(["client"]);
    const served = await bench.api.serve(0, { tls: true });
    const listening = await listen({ hostname: "127.0.0.1", port: 0, tls: undefined, handler: bench.handler });
    const folder = await Deno.makeTempDir();
    const print = async (env: Record<string, string>, args: readonly string[]) => {
      const { code, stdout, stderr } = await new Deno.Command(ARGO_PROGRAM ?? "", {
        args: [...args, "-n", NAMESPACE],
        env: { ...env, HOME: folder },
        clearEnv: true,
        cwd: folder,
      }).output();
      assertEquals(code, 0, new TextDecoder().decode(stderr));
      return new TextDecoder().decode(stdout);
    };
    try {
      const { token } = await bench.account(RIGHTS);
      await Deno.writeTextFile(`${folder}/kubeconfig`, kubeconfigOf(served));
      await bench.admin.create(WORKFLOWS, NAMESPACE, ODD);
      await bench.admin.create(WORKFLOWS, NAMESPACE, EMPTY);
      const byServer = {
        ARGO_SERVER: `127.0.0.1:${listening.port}`,
        ARGO_SECURE: "false",
        ARGO_TOKEN: `Bearer ${token}`,
      };
      const byCluster = { KUBECONFIG: `${folder}/kubeconfig` };
      for (const name of ["odd", "empty"]) {
        for (const form of ["json", "yaml"]) {
          const args = ["get", name, "-o", form];
          assertEquals(await print(byServer, args), await print(byCluster, args), args.join(" "));
        }
      }
    } finally {
      await listening.close();
      await served.close();
      await Deno.remove(folder, { recursive: true });
    }
  },
});
