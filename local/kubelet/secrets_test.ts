/** Tests where values of secrets are visible, with canaries, in every back end that this machine supports. */

import { assert, assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { canMakePrograms } from "@tiphys/portable/elf";
import { PODS, SECRETS } from "@tiphys/kube";
import { needs } from "../../lib/base/testing/needs.ts";
import { awaitFact } from "../../tests/await_fact.ts";
import { startEmbeddedCluster } from "../cluster.ts";
import type { RuntimeName } from "./runtime/choose_runtime.ts";
import type { EngineName } from "./runtime/engine/engine_address.ts";
import { findEngine } from "./runtime/engine/find_engine.ts";
import { podsFolder } from "./kubelet.ts";
import { RuntimeUnavailable } from "./runtime/runtime.ts";
import { IMAGE, importImage, runtimeOf } from "./runtime/testing/engine_image.ts";
import { isAllowed } from "./runtime/testing/promises.ts";
import { removeTree } from "../image/remove_tree.ts";

const RUNTIMES = ["sandbox", "host", "docker", "podman"] as const satisfies readonly RuntimeName[];
const PODS_AT_ONCE = 4;

const canary = () => `c4n4ry${crypto.randomUUID().replaceAll("-", "")}`;

/** The secrets of a pod: in a variable, in a volume, and as credentials of its image. */
const CANARIES = { variable: canary(), file: canary(), password: canary() };
/** A value that is visible on purpose, to prove that the watch detects values. */
const VISIBLE_CANARY = canary();

/** Watches the command lines of all processes until it is disposed of. */
class CommandLines implements AsyncDisposable {
  readonly #folder: string;
  readonly #process: Deno.ChildProcess;
  readonly #read: Promise<void>;
  seen = "";

  constructor(folder: string) {
    this.#folder = folder;
    Deno.mkdirSync(`${folder}/watch`);
    Deno.writeTextFileSync(`${folder}/watch/go`, "");
    this.watchFor([VISIBLE_CANARY, ...Object.values(CANARIES)]);
    const script = 'cd "$0"; while [ -e go ]; do grep -aohsf words /proc/[0-9]*/cmdline; done';
    const args = ["-c", script, `${folder}/watch`];
    const process = new Deno.Command("sh", { args, stdin: "null", stdout: "piped", stderr: "null" }).spawn();
    this.#process = process;
    this.#read = (async () => {
      for await (const text of process.stdout.pipeThrough(new TextDecoderStream())) this.seen += text;
    })();
  }

  watchFor(words: readonly string[]): void {
    Deno.writeTextFileSync(`${this.#folder}/watch/next`, `${words.join("\n")}\n`);
    Deno.renameSync(`${this.#folder}/watch/next`, `${this.#folder}/watch/words`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(`${this.#folder}/watch/go`);
    await this.#process.status;
    await this.#read;
  }
}

async function hasRuntime(name: RuntimeName): Promise<boolean> {
  if (!canMakePrograms()) return false;
  if (name !== "docker" && name !== "podman") return true;
  try {
    using engine = await findEngine(name as EngineName);
    await importImage(engine);
    // An engine that responds may still be unable to run containers on this machine.
    return await isAllowed(runtimeOf(name));
  } catch (error) {
    if (error instanceof RuntimeUnavailable) return false;
    throw error;
  }
}

function podWith(name: string): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default" },
    spec: {
      restartPolicy: "Never",
      imagePullSecrets: [{ name: "pull" }],
      containers: [{
        name: "main",
        image: IMAGE,
        imagePullPolicy: "Always",
        // The command does not contain the values, because command lines are public on any system.
        command: [
          "sh",
          "-c",
          'test "$VARIABLE" && test "$ALL_file" && test -s /secret/file; echo "ended with $?"; sleep 0.3',
        ],
        env: [{ name: "VARIABLE", valueFrom: { secretKeyRef: { name: "s", key: "variable" } } }],
        envFrom: [{ prefix: "ALL_", secretRef: { name: "s" } }],
        volumeMounts: [{ name: "v", mountPath: "/secret" }],
        readinessProbe: { exec: { command: ["sh", "-c", 'test "$VARIABLE"'] }, periodSeconds: 1 },
      }],
      volumes: [{ name: "v", secret: { secretName: "s" } }],
    },
  } as Pod;
}

for (const runtime of RUNTIMES) {
  const isHere = await hasRuntime(runtime);
  Deno.test({
    ...needs(runtime, isHere, `the ${runtime} back end shows no secret on a command line, in a log or to other users`),
    async fn() {
      const folder = await Deno.makeTempDir();
      const said: string[] = [];
      await Deno.mkdir(`${folder}/data`, { mode: 0o755 });
      const cluster = await startEmbeddedCluster({
        dataDir: `${folder}/data`,
        cacheDir: `${folder}/cache`,
        runtime,
        standIn: "any",
        tls: true,
        onNotice: (text) => said.push(text),
        onError: (what, error) => said.push(`${what}: ${error}`),
      });
      const { client } = cluster;
      const secret = (name: string, type: string, stringData: Record<string, string>) =>
        client.create(SECRETS, "default", { apiVersion: "v1", kind: "Secret", metadata: { name }, type, stringData });
      await secret("s", "Opaque", { variable: CANARIES.variable, file: CANARIES.file });
      const auths = { "tiphys.local": { username: "me", password: CANARIES.password } };
      await secret("pull", "kubernetes.io/dockerconfigjson", { ".dockerconfigjson": JSON.stringify({ auths }) });
      try {
        await using lines = new CommandLines(folder);
        const control = new Deno.Command("sh", { args: ["-c", "read -r line", VISIBLE_CANARY], stdin: "piped" })
          .spawn();
        await awaitFact("a word of a command line is seen", () => lines.seen.includes(VISIBLE_CANARY), { seconds: 60 });
        await control.stdin.close();
        await control.status;

        const names = Array.from({ length: PODS_AT_ONCE }, (_, index) => `p${index}`);
        for (const name of names) await client.create(PODS, "default", podWith(name));
        const tokens = new Set([cluster.token]);
        for (const name of names) {
          await awaitFact("the pod has ended", async () => {
            const { metadata, status } = await client.get<Pod>(PODS, "default", name);
            const token = `${podsFolder(`${folder}/data`)}/${metadata.uid}/files/serviceaccount/token`;
            await Deno.readTextFile(token).then((text) => tokens.add(text), () => {});
            lines.watchFor([VISIBLE_CANARY, ...Object.values(CANARIES), ...tokens]);
            return status?.phase === "Succeeded";
          }, { seconds: 120 });
          said.push(await new Response(client.logs("default", name)).text());
        }
        assert(tokens.size > 1);
        assertEquals(said.filter((text) => text.includes("ended with 0")).length, PODS_AT_ONCE);
        const values = [...Object.values(CANARIES), ...tokens];
        assertEquals(values.filter((value) => lines.seen.includes(value)), []);
        assertEquals(values.filter((value) => said.join("\n").includes(value)), []);
        for (const name of names) {
          const { status } = await client.get<Pod>(PODS, "default", name);
          assertEquals(values.filter((value) => JSON.stringify(status).includes(value)), []);
        }
        for (const name of ["data", "cache"]) {
          assertEquals((await Deno.stat(`${folder}/${name}`)).mode! & 0o077, 0, name);
        }
      } finally {
        await cluster.close();
        await removeTree(folder);
      }
    },
  });
}
