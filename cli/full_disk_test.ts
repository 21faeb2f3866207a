/** The embedded cluster on a disk that is full: a small one, made of memory. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { pause, systemClock } from "@tiphys/base/clock";
import { needs } from "../lib/base/testing/needs.ts";

const MAIN = new URL("main.ts", import.meta.url).pathname;

async function run(command: string, ...args: string[]): Promise<boolean> {
  const { success } = await new Deno.Command(command, { args, stdout: "null", stderr: "null" }).output()
    .catch(() => ({ success: false }));
  return success;
}

/** A disk of 200 MiB, gone afterwards. */
async function withDisk(test: (disk: string) => Promise<void>): Promise<void> {
  const disk = await Deno.makeTempDir();
  assert(await run("mount", "-t", "tmpfs", "-o", "size=200m", "tmpfs", disk));
  try {
    await test(disk);
  } finally {
    await run("umount", "-l", disk);
    await Deno.remove(disk);
  }
}

const canMount = Deno.build.os === "linux" && Deno.uid() === 0 && await canMountMemory();

async function canMountMemory(): Promise<boolean> {
  const folder = await Deno.makeTempDir();
  const mounted = await run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder) && await run("umount", folder);
  await Deno.remove(folder).catch(() => {});
  return mounted;
}

/** Writes zeros until no more fit. */
async function fill(file: string): Promise<void> {
  using filling = await Deno.open(file, { write: true, create: true });
  for (const size of [1024 * 1024, 4096]) {
    const block = new Uint8Array(size);
    try {
      while (await filling.write(block) > 0);
    } catch (error) {
      assertStringIncludes(String(error), "No space left");
    }
  }
}

/** A `tiphys local`, with all that it said. */
class Local {
  said = "";
  readonly child: Deno.ChildProcess;
  readonly #read: Promise<unknown>;

  constructor(data: string) {
    const args = ["run", "-A", "--no-check", MAIN, "local", "--data", data, "--runtime", "host"];
    this.child = new Deno.Command(Deno.execPath(), { args, stdout: "piped", stderr: "piped" }).spawn();
    this.#read = Promise.all([this.child.stdout, this.child.stderr].map(async (stream) => {
      for await (const chunk of stream) this.said += new TextDecoder().decode(chunk);
    }));
  }

  async until(text: string): Promise<void> {
    while (!this.said.includes(text)) await pause(systemClock, 20);
  }

  async end(): Promise<number> {
    this.child.kill("SIGTERM");
    return await this.ended();
  }

  async ended(): Promise<number> {
    const { code } = await this.child.status;
    await this.#read;
    return code;
  }
}

async function kubectl(data: string, method: string, path: string, body?: unknown): Promise<number> {
  const { url, token, caCert } = JSON.parse(await Deno.readTextFile(`${data}/cluster.json`));
  using client = Deno.createHttpClient({ caCerts: [caCert] });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    client,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await response.body?.cancel();
  return response.status;
}

Deno.test({
  ...needs(
    "root, and leave to mount",
    canMount,
    "on a full disk the cluster ends at one SIGTERM, and starts or says what to do",
  ),
  fn: () =>
    withDisk(async (disk) => {
      const data = `${disk}/data`;
      const first = new Local(data);
      await first.until("Ctrl-C ends it");
      const spec = { containers: [{ name: "main", image: "busybox", command: ["sleep", "1000"] }] };
      const pod = { metadata: { name: "sleeps" }, spec };
      assertEquals(await kubectl(data, "POST", "/api/v1/namespaces/default/pods", pod), 201);
      await fill(`${disk}/filling`);
      // The reserve is given up for the first writes.
      const large = { metadata: { name: "large" }, data: { text: "x".repeat(1_000_000) } };
      assertEquals(await kubectl(data, "POST", "/api/v1/namespaces/default/configmaps", large), 201);
      await fill(`${disk}/filling-more`);
      const refused = { metadata: { name: "refused" }, data: { text: "x".repeat(1_000_000) } };
      let status = 201;
      for (let count = 0; status === 201; count++) {
        const next = { ...refused, metadata: { name: `refused-${count}` } };
        status = await kubectl(data, "POST", "/api/v1/namespaces/default/configmaps", next);
      }
      assertEquals(status, 503);
      assertEquals(await first.end(), 0, first.said);

      const second = new Local(data);
      assertEquals(await second.ended(), 1);
      assertStringIncludes(second.said, `The disk of ${data} is full`);
      assertStringIncludes(second.said, "tiphys image prune");

      await Deno.remove(`${disk}/filling`);
      const third = new Local(data);
      await third.until("Ctrl-C ends it");
      assertEquals(await kubectl(data, "GET", "/api/v1/namespaces/default/configmaps/large"), 200);
      assertEquals(await third.end(), 0, third.said);
      await fill(`${disk}/filling`);

      // With the reserve that the last start made, the next one goes on.
      const fourth = new Local(data);
      await fourth.until("Ctrl-C ends it");
      assertEquals(await fourth.end(), 0, fourth.said);
    }),
});
