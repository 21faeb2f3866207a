/** The embedded cluster on a full disk, a small tmpfs. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { pause, systemClock } from "@tiphys/base/clock";
import { needs } from "../lib/base/testing/needs.ts";

const MAIN = new URL("main.ts", import.meta.url).pathname;

async function run(command: string, ...args: string[]): Promise<boolean> {
  const { success } = await new Deno.Command(command, { args, stdout: "null", stderr: "null" }).output()
    .catch(() => ({ success: false }));
  return success;
}

/** Mounts a tmpfs of 200 MiB for a test. */
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

/** Writes zeros until the disk is full. */
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

/** A `tiphys local` process, with its output. */
class Local {
  output = "";
  readonly child: Deno.ChildProcess;
  readonly #read: Promise<unknown>;

  constructor(data: string) {
    const args = ["run", "-A", "--no-check", MAIN, "local", "--data", data, "--runtime", "host"];
    this.child = new Deno.Command(Deno.execPath(), { args, stdout: "piped", stderr: "piped" }).spawn();
    this.#read = Promise.all([this.child.stdout, this.child.stderr].map(async (stream) => {
      for await (const chunk of stream) this.output += new TextDecoder().decode(chunk);
    }));
  }

  async awaitOutput(text: string): Promise<void> {
    while (!this.output.includes(text)) await pause(systemClock, 20);
  }

  async end(): Promise<number> {
    this.child.kill("SIGTERM");
    return await this.waitForExit();
  }

  async waitForExit(): Promise<number> {
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
    "root, and permission to mount",
    canMount,
    "full disk: the cluster stops at one SIGTERM, and starts or prints what to do",
  ),
  fn: () =>
    withDisk(async (disk) => {
      const data = `${disk}/data`;
      const first = new Local(data);
      await first.awaitOutput("Press Ctrl-C to stop it");
      const spec = { containers: [{ name: "main", image: "busybox", command: ["sleep", "1000"] }] };
      const pod = { metadata: { name: "sleeps" }, spec };
      assertEquals(await kubectl(data, "POST", "/api/v1/namespaces/default/pods", pod), 201);
      await fill(`${disk}/filling`);
      // The reserved space is released for the first writes.
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
      assertEquals(await first.end(), 0, first.output);

      const second = new Local(data);
      assertEquals(await second.waitForExit(), 1);
      assertStringIncludes(second.output, `The disk of ${data} is full`);
      assertStringIncludes(second.output, "tiphys image prune");

      await Deno.remove(`${disk}/filling`);
      const third = new Local(data);
      await third.awaitOutput("Press Ctrl-C to stop it");
      assertEquals(await kubectl(data, "GET", "/api/v1/namespaces/default/configmaps/large"), 200);
      assertEquals(await third.end(), 0, third.output);
      await fill(`${disk}/filling`);

      // The third start reserved space again, so this one succeeds.
      const fourth = new Local(data);
      await fourth.awaitOutput("Press Ctrl-C to stop it");
      assertEquals(await fourth.end(), 0, fourth.output);
    }),
});
