/** A writer that is killed during an upload. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Driver, StoreError } from "@tiphys/model/artifact";
import { makeDriver } from "../../lib/stores/s3/mod.ts";
import { FaultProxy } from "../../lib/artifacts/testing/contract/mod.ts";
import { driverEnvironment, sourceOf, textOf } from "../../lib/artifacts/testing/surroundings.ts";
import { openNet } from "@tiphys/base/net";
import { ArtifactStore, credentialsSecret, serveStore } from "./mod.ts";

const stop = new AbortController().signal;
const PART_BYTES = 5 << 20;

Deno.test("killed writer: its upload leaves no object, does not block others, and is removed when the store restarts (AR-58)", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using store = await ArtifactStore.open({ folder });
    await using served = await serveStore(store);
    const { metadata: { name }, data } = credentialsSecret(store, "default") as unknown as {
      metadata: { name: string };
      data: Record<string, string>;
    };
    const secrets = Object.fromEntries(Object.entries(data).map(([key, value]) => [`${name}/${key}`, atob(value)]));
    await using faults = { proxy: new FaultProxy(served.port), [Symbol.asyncDispose]: () => faults.proxy.close() };
    const settings = { ...served.repository.s3, endpoint: `127.0.0.1:${faults.proxy.port}` };
    const writer = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", new URL("./testing/endless_writer.ts", import.meta.url).pathname],
      env: { WRITER: JSON.stringify({ settings, secrets, partBytes: PART_BYTES }) },
      stdin: "null",
      stdout: "null",
      stderr: "inherit",
    }).spawn();
    const second = Promise.withResolvers<void>();
    faults.proxy.decide = (line) => void (/^PUT .*partNumber=2/.test(line) && second.resolve());
    await Promise.race([second.promise, writer.status.then(() => Promise.reject(new Error("the writer has ended")))]);
    writer.kill("SIGKILL");
    await writer.status;

    using net = { net: openNet(), [Symbol.dispose]: () => net.net.close() };
    const own = { ...served.repository.s3 };
    const environment = driverEnvironment({ secrets, net: net.net, partBytes: PART_BYTES });
    const driver = await makeDriver({ store: "s3", key: "", settings: own }, environment) as Driver;
    const place = { store: "s3", key: "endless", settings: own };
    const uploads = () => store.index.uploads("default").map(({ key }) => key);
    assertEquals(uploads(), ["endless"]);
    assertEquals((await assertRejects(() => driver.find(place, stop), StoreError)).kind, "missing");
    await driver.write(place, sourceOf("whole"), stop);
    assertEquals(await textOf(await driver.read(place, {}, stop)), "whole");
    assertEquals(uploads(), ["endless"]);
  } finally {
    {
      await using again = await ArtifactStore.open({ folder });
      assertEquals(again.index.uploads("default"), []);
    }
    assert([...Deno.readDirSync(`${folder}/tmp`)].length === 0);
    await Deno.remove(folder, { recursive: true });
  }
});
