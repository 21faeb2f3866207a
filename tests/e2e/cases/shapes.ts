/** The shapes of pods, in both layouts: each workflow checks itself and succeeds only if everything is correct. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { ANNOTATION } from "@tiphys/base/constants";
import { AUX_NAME, type Case, casesForBothLayouts, skipWithoutRight, type Stage } from "../case.ts";
import { HARDENED } from "../hardened.ts";
import { nodeNamed, onlyNode, WorkflowRun } from "../workflow_run.ts";

const IMAGE = "tiphys-test/busybox:1";

/** An image with the folders and files of a whole system. */
const SYSTEM_IMAGE = "tiphys-test/debian:1";

/** A container that runs a shell script, which fails at its first failing command. */
function shell(script: string): { image: string; command: string[] } {
  return { image: IMAGE, command: ["sh", "-exc", script] };
}

function raw(name: string, path: string, data: string, mode?: number) {
  return { name, path, raw: { data }, ...(mode === undefined ? {} : { mode }) };
}

export const SHAPES: readonly Case[] = [
  ...casesForBothLayouts(
    "container set: its containers run in the order of their dependencies, in one pod",
    async (stage, layout) => {
      const workspace = { name: "workspace", mountPath: "/workspace" };
      const workflow = await (await WorkflowRun.create(stage, {
        volumes: [{ name: "workspace", emptyDir: {} }],
        templates: [{
          name: "main",
          containerSet: {
            volumeMounts: [workspace],
            retryStrategy: { retries: "3" },
            containers: [
              { name: "first", ...shell("echo one >/workspace/words") },
              // The command succeeds in its second attempt, in the same container.
              {
                name: "second",
                ...shell("mkdir /tmp/again || exec true; echo two >>/workspace/words; exit 1"),
                dependencies: ["first"],
              },
              { name: "main", ...shell("tr '\\n' , </workspace/words >/tmp/all"), dependencies: ["second"] },
            ],
          },
          outputs: { parameters: [{ name: "all", valueFrom: { path: "/tmp/all" } }] },
        }],
      }, { layout })).awaitSuccess();
      assertEquals(onlyNode(workflow).outputs?.parameters?.[0]?.value, "one,two,");
      for (const name of ["first", "second", "main"]) assertEquals(nodeNamed(workflow, name).phase, "Succeeded");
    },
  ),
  {
    title:
      "mirrored mounts: a sidecar and an init container that mirror main's mounts see its inputs, and the pod has the reason for its layout (IL-65)",
    async run(stage) {
      const volumes = [{ name: "shared", emptyDir: {} }];
      const template = {
        name: "main",
        inputs: { artifacts: [raw("message", "/in/message", "hello")] },
        container: {
          ...shell(
            "until [ -e /shared/sidecar ]; do sleep 0.1; done; grep hello /shared/sidecar; grep hello /shared/init",
          ),
          volumeMounts: [{ name: "shared", mountPath: "/shared" }],
        },
        initContainers: [{ name: "before", ...shell("cat /in/message >/shared/init"), mirrorVolumeMounts: true }],
        sidecars: [{
          name: "beside",
          ...shell("cat /in/message >/shared/half; mv /shared/half /shared/sidecar; sleep 600"),
          mirrorVolumeMounts: true,
        }],
      };
      const run = await WorkflowRun.create(stage, { volumes, templates: [template] });
      await run.awaitSuccess();
      const [pod] = await run.pods();
      assertMatch(pod?.metadata.annotations?.[ANNOTATION.layoutReason] ?? "", /before main/);
    },
  },
  ...casesForBothLayouts("sidecar: serves main when it is ready, and is stopped after main", async (stage, layout) => {
    const run = await WorkflowRun.create(stage, {
      templates: [{
        name: "main",
        container: shell(
          "until wget -qO /tmp/page http://127.0.0.1:8080/word; do sleep 0.1; done; grep served /tmp/page",
        ),
        sidecars: [{ name: "server", ...shell("mkdir /www; echo served >/www/word; exec httpd -f -p 8080 -h /www") }],
      }],
    }, { layout });
    await run.awaitSuccess();
  }),
  ...casesForBothLayouts(
    "daemon: runs while others use it by its address, and is stopped with its workflow",
    async (stage, layout) => {
      const run = await WorkflowRun.create(stage, {
        templates: [
          {
            name: "main",
            steps: [
              [{ name: "server", template: "server" }],
              [{
                name: "client",
                template: "client",
                arguments: { parameters: [{ name: "address", value: "{{steps.server.ip}}" }] },
              }],
            ],
          },
          {
            name: "server",
            daemon: true,
            container: {
              ...shell("mkdir /www; echo served >/www/word; exec httpd -f -p 8080 -h /www"),
              readinessProbe: { httpGet: { path: "/word", port: 8080 }, periodSeconds: 1 },
            },
          },
          {
            name: "client",
            inputs: { parameters: [{ name: "address" }] },
            container: shell("wget -qO- http://{{inputs.parameters.address}}:8080/word | grep served"),
          },
        ],
      }, { layout });
      assertEquals(nodeNamed(await run.awaitSuccess(), "server").phase, "Succeeded");
      await run.await(
        "has ended its daemon",
        async () => (await run.pods()).every(({ status }) => status?.phase !== "Running"),
      );
    },
  ),
  ...casesForBothLayouts(
    "podSpecPatch: may use either name of the executor's container (IL-45)",
    async (stage, layout) => {
      for (const name of ["wait", "supervisor"]) {
        const resources = { requests: { cpu: "11m" } };
        const run = await WorkflowRun.create(stage, {
          podSpecPatch: JSON.stringify({ containers: [{ name, resources }] }),
          templates: [{ name: "main", container: shell("true") }],
        }, { layout });
        await run.awaitSuccess();
        const [pod] = await run.pods();
        assertEquals(pod?.spec.containers.map(({ name }) => name), [AUX_NAME[layout], "main"]);
        assertEquals(pod?.spec.containers[0]?.resources, resources);
      }
    },
  ),
  ...casesForBothLayouts(
    "claims: data of one step is available to the next, and claims are deleted with the workflow",
    async (stage, layout) => {
      const { kubectl, namespace } = stage;
      const storageClassName = `e2e-${crypto.randomUUID().slice(0, 8)}`;
      const hostPath = { path: `/tmp/${storageClassName}`, type: "DirectoryOrCreate" };
      await kubectl.apply(namespace, {
        apiVersion: "v1",
        kind: "PersistentVolume",
        metadata: { name: storageClassName },
        spec: { storageClassName, accessModes: ["ReadWriteOnce"], capacity: { storage: "1Mi" }, hostPath },
      });
      const volumeMounts = [{ name: "work", mountPath: "/scratch" }];
      const outputs = { parameters: [{ name: "word", valueFrom: { path: "/scratch/word" } }] };
      const run = await WorkflowRun.create(stage, {
        volumeClaimTemplates: [{
          metadata: { name: "work" },
          spec: { storageClassName, accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Mi" } } },
        }],
        templates: [
          { name: "main", steps: [[{ name: "write", template: "write" }], [{ name: "read", template: "read" }]] },
          { name: "write", container: { ...shell("echo kept >/scratch/word"), volumeMounts }, outputs },
          { name: "read", container: { ...shell("grep kept /scratch/word"), volumeMounts } },
        ],
      }, { layout });
      assertEquals(nodeNamed(await run.awaitSuccess(), "write").outputs?.parameters?.[0]?.value, "kept");
      const claims = () => kubectl.output("-n", namespace, "get", "pvc", "-o", "name");
      await run.await("no longer has a claim", async () => !(await claims()).includes(run.name));
      await kubectl.output("delete", "pv", storageClassName, "--wait=false");
    },
  ),
  ...casesForBothLayouts(
    "executor service account: main has no token, and the result is reported nevertheless",
    async (stage, layout) => {
      await makeExecutorAccount(stage, "e2e-executor");
      const workflow = await (await WorkflowRun.create(stage, {
        automountServiceAccountToken: false,
        executor: { serviceAccountName: "e2e-executor" },
        templates: [{
          name: "main",
          container: shell("[ ! -e /var/run/secrets/kubernetes.io/serviceaccount/token ]; echo reported >/tmp/word"),
          outputs: { parameters: [{ name: "word", valueFrom: { path: "/tmp/word" } }] },
        }],
      }, { layout })).awaitSuccess();
      assertEquals(onlyNode(workflow).outputs?.parameters?.[0]?.value, "reported");
    },
  ),
  {
    title: "unprivileged main: has its input at the root of its file system (IL-54)",
    async run(stage) {
      const run = await WorkflowRun.create(stage, {
        securityContext: { runAsUser: 1000, runAsNonRoot: true },
        templates: [{
          name: "main",
          inputs: { artifacts: [raw("message", "/message", "hello")] },
          container: { ...shell("[ $(id -u) = 1000 ]; grep hello /message; echo out >/tmp/word"), image: SYSTEM_IMAGE },
          outputs: { parameters: [{ name: "word", valueFrom: { path: "/tmp/word" } }] },
        }],
      });
      await run.awaitSuccess();
    },
  },
  {
    title: "read-only root: main has its input at its path, and the pod has the reason for its layout (IL-55)",
    async run(stage) {
      const run = await WorkflowRun.create(stage, {
        templates: [{
          name: "main",
          inputs: { artifacts: [raw("message", "/message", "hello")] },
          container: {
            ...shell("grep hello /message; ! touch /new"),
            securityContext: { readOnlyRootFilesystem: true },
          },
        }],
      });
      await run.awaitSuccess();
      const [pod] = await run.pods();
      assertMatch(pod?.metadata.annotations?.[ANNOTATION.layoutReason] ?? "", /read-only/);
    },
  },
  ...casesForBothLayouts(
    "hardened main: runs without inputs: no root, no writable root file system, no capabilities",
    async (stage, layout) => {
      const run = await WorkflowRun.create(stage, {
        templates: [
          {
            name: "main",
            steps: [
              [{ name: "say", template: "say" }],
              [{
                name: "hear",
                template: "hear",
                arguments: { parameters: [{ name: "said", value: "{{steps.say.outputs.result}}" }] },
              }],
            ],
          },
          {
            name: "say",
            script: { image: IMAGE, command: ["sh"], source: "echo hardened", securityContext: HARDENED },
          },
          {
            name: "hear",
            inputs: { parameters: [{ name: "said" }] },
            container: { ...shell("[ '{{inputs.parameters.said}}' = hardened ]"), securityContext: HARDENED },
          },
        ],
      }, { layout });
      await run.awaitSuccess();
    },
  ),
  ...casesForBothLayouts(
    "hardened executor's container: reports: no root, no writable root file system, no capabilities",
    async (stage, layout) => {
      const securityContext = { ...HARDENED, runAsUser: 8737 };
      const run = await WorkflowRun.create(stage, {
        podSpecPatch: JSON.stringify({ containers: [{ name: AUX_NAME[layout], securityContext }] }),
        templates: [{
          name: "main",
          inputs: { artifacts: [raw("message", "/in/message", "hello")] },
          container: shell("cp /in/message /tmp/word"),
          outputs: { parameters: [{ name: "word", valueFrom: { path: "/tmp/word" } }] },
        }],
      }, { layout });
      assertEquals(onlyNode(await run.awaitSuccess()).outputs?.parameters?.[0]?.value, "hello");
    },
  ),
  ...casesForBothLayouts(
    "raw artifacts: arrive in a new folder, over a file of the image, in a volume, and as a program",
    async (stage, layout) => {
      const run = await WorkflowRun.create(stage, {
        volumes: [{ name: "work", emptyDir: {} }],
        templates: [{
          name: "main",
          inputs: {
            artifacts: [
              raw("deep", "/new/folder/deep", "deep"),
              raw("over", "/etc/debian_version", "over"),
              raw("volume", "/scratch/sub/volume", "volume"),
              raw("program", "/opt/program", "#!/bin/sh\necho $1 >/scratch/said\n", 0o755),
              { name: "absent", path: "/absent", optional: true },
            ],
          },
          container: {
            ...shell(
              "grep deep /new/folder/deep; grep over /etc/debian_version; grep volume /scratch/sub/volume; /opt/program word; " +
                "grep word /scratch/said; [ ! -e /absent ]",
            ),
            image: SYSTEM_IMAGE,
            volumeMounts: [{ name: "work", mountPath: "/scratch" }],
          },
        }],
      }, { layout });
      await run.awaitSuccess();
    },
  ),
  ...casesForBothLayouts(
    "large values: a template and an argument beyond the limits of environment and command line arrive complete",
    async (stage, layout) => {
      skipWithoutRight(stage, "create configmaps");
      const big = "x".repeat(150_000);
      const run = await WorkflowRun.create(stage, {
        arguments: { parameters: [{ name: "big", value: big }] },
        templates: [{
          name: "main",
          inputs: { parameters: [{ name: "big", value: "{{workflow.parameters.big}}" }] },
          // The long argument arrives as the name of a file that contains it.
          container: {
            image: IMAGE,
            command: ["sh", "-exc"],
            args: [
              `[ "$(wc -c <"\${1#@}")" = ${big.length} ]; echo whole >/tmp/word`,
              "sh",
              "{{inputs.parameters.big}}",
            ],
          },
          outputs: { parameters: [{ name: "word", valueFrom: { path: "/tmp/word" } }] },
        }],
      }, { layout });
      assertEquals(onlyNode(await run.awaitSuccess()).outputs?.parameters?.[0]?.value, "whole");
    },
  ),
  ...casesForBothLayouts(
    "terminal: a container with one gives it to its command, whose output is in the log and in the result",
    async (stage, layout) => {
      const command = ["sh", "-ec", "[ -t 0 ]; [ -t 1 ]; [ -t 2 ]; echo from a terminal"];
      const onTerminal = { image: IMAGE, command, tty: true };
      const run = await WorkflowRun.create(stage, {
        templates: [
          {
            name: "main",
            steps: [
              [{ name: "kept", template: "work" }],
              [{ name: "unkept", template: "work" }],
              [{
                name: "use",
                template: "use",
                arguments: { parameters: [{ name: "said", value: "{{steps.kept.outputs.result}}" }] },
              }],
            ],
          },
          { name: "work", container: onTerminal },
          {
            name: "use",
            inputs: { parameters: [{ name: "said" }] },
            container: shell("[ '{{inputs.parameters.said}}' = 'from a terminal' ]"),
          },
        ],
      }, { layout });
      await run.awaitSuccess();
      const logs = await Promise.all((await run.pods()).map((pod) => run.logs(pod)));
      assertEquals(logs.filter((log) => log.trim() === "from a terminal").length, 2, JSON.stringify(logs));
    },
  ),
  ...casesForBothLayouts(
    "leftover processes: processes that main leaves running delay nothing",
    async (stage, layout) => {
      const run = await WorkflowRun.create(stage, {
        templates: [{
          name: "main",
          script: { image: IMAGE, command: ["sh"], source: "(sleep 300; echo late) &\necho prompt" },
        }],
      }, { layout });
      await run.awaitSuccess(60);
      assert(run.seconds() < 60);
    },
  ),
];

/** A service account that may report, with its token in a secret of the expected name. */
async function makeExecutorAccount({ kubectl, namespace }: Stage, name: string): Promise<void> {
  await kubectl.apply(
    namespace,
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "workflow-executor" },
      subjects: [{ kind: "ServiceAccount", name }],
    },
    {
      apiVersion: "v1",
      kind: "Secret",
      type: "kubernetes.io/service-account-token",
      metadata: {
        name: `${name}.service-account-token`,
        annotations: { "kubernetes.io/service-account.name": name },
      },
    },
  );
}
