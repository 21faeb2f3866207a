import { assert, assertEquals, assertRejects } from "@std/assert";
import { crc32 } from "node:zlib";
import { type Driver, StoreError } from "@tiphys/model/artifact";
import { driverFor } from "../stores/driver_for.ts";
import { bytesOf, noise, testContract } from "../artifacts/testing/contract/mod.ts";
import { driverEnvironment, sourceOf, textOf } from "../artifacts/testing/surroundings.ts";
import { crc32c } from "@tiphys/artifacts/crc32";
import { rpcCluster } from "./testing/rpc_cluster.ts";

const stop = new AbortController().signal;
const shared = rpcCluster();
globalThis.addEventListener("unload", () => void shared[Symbol.asyncDispose]());

function placeAt(ports: readonly number[], key: string, settings: object = {}) {
  const addresses = ports.map((port) => `127.0.0.1:${port}`);
  return { store: "hdfs", key, settings: { addresses, force: true, hdfsUser: "me", ...settings } };
}

async function at(ports: readonly number[], key: string, settings: object = {}) {
  const place = placeAt(ports, key, settings);
  const driver = await driverFor(place, driverEnvironment()) as Driver;
  return { driver, place, [Symbol.asyncDispose]: async () => void await driver.close?.() };
}

testContract({
  name: "hdfs by RPC",
  driver: async () => (await at([shared.port], "/x")).driver,
  place: (key) => placeAt([shared.port], `/${key}`),
  cannot: {
    "AR-05": "a file and a folder cannot have the same name",
    "AR-10": "a path cannot have .. in it",
    "AR-13": "a file and a folder cannot have the same name",
  },
});

Deno.test("hdfs: reads a file of several blocks, whole and in parts within blocks", async () => {
  await using cluster = rpcCluster();
  await using hdfs = await at([cluster.port], "/dir/a");
  const { driver, place } = hdfs;
  const content = noise(1_000_003);
  await driver.write(place, sourceOf(content), stop);
  assertEquals(await bytesOf(await driver.read(place, {}, stop)), content);
  for (
    const [from, to] of [[0, 1], [511, 513], [262_143, 262_145], [300_001, 900_000], [1_000_002, 1_000_003]] as const
  ) {
    assertEquals(await bytesOf(await driver.read(place, { from, to }, stop)), content.slice(from, to));
  }
  assertEquals([...cluster.users], ["me"]);
});

Deno.test("hdfs: a data node that interrupts, damages or rejects a block is replaced by the next one, which continues", async () => {
  await using cluster = rpcCluster();
  await using hdfs = await at([cluster.port], "/a");
  const { driver, place } = hdfs;
  const content = noise(400_000);
  await driver.write(place, sourceOf(content), stop);
  for (const harm of ["cut", "flip", "refuse"] as const) {
    cluster.harms.push(harm);
    assertEquals(await bytesOf(await driver.read(place, {}, stop)), content);
    cluster.harms.push(harm, harm);
    const error = await assertRejects(async () => await bytesOf(await driver.read(place, {}, stop)), StoreError);
    assertEquals([harm, error.kind], [harm, "transient"]);
  }
});

Deno.test("hdfs: a block that cannot be written is transient, and leaves neither a changed nor a temporary file", async () => {
  await using cluster = rpcCluster();
  await using hdfs = await at([cluster.port], "/dir/a");
  const { driver, place } = hdfs;
  await driver.write(place, sourceOf("before"), stop);
  for (const harm of ["cut", "flip", "refuse"] as const) {
    cluster.harms.push(harm);
    const error = await assertRejects(() => driver.write(place, sourceOf("after it all"), stop), StoreError);
    assertEquals([harm, error.kind], [harm, "transient"]);
  }
  assertEquals(await textOf(await driver.read(place, {}, stop)), "before");
  assertEquals([...cluster.entries.keys()].sort(), ["/", "/dir", "/dir/a"]);
});

Deno.test("hdfs: finds the active name node of several over RPC, also after a failover", async () => {
  await using first = rpcCluster();
  await using second = rpcCluster();
  first.isStandby = true;
  await using hdfs = await at([1, first.port, second.port], "/a");
  const { driver, place } = hdfs;
  await driver.write(place, sourceOf("x"), stop);
  assert(second.entries.has("/a"));
  second.isStandby = true;
  first.isStandby = false;
  assertEquals((await assertRejects(() => driver.find(place, stop), StoreError)).kind, "missing");
  first.isStandby = true;
  assertEquals((await assertRejects(() => driver.find(place, stop), StoreError)).kind, "transient");
});

Deno.test("hdfs: a connection that the only name node closed meanwhile causes no error", async () => {
  await using cluster = rpcCluster();
  await using hdfs = await at([cluster.port], "/a");
  const { driver, place } = hdfs;
  await driver.write(place, sourceOf("x"), stop);
  cluster.drop();
  assertEquals((await driver.find(place, stop)).size, 1);
});

Deno.test("hdfs: replaces a file over RPC only if force is set, and leaves no temporary file", async () => {
  await using cluster = rpcCluster();
  await using plain = await at([cluster.port], "/dir/a", { force: false });
  await plain.driver.write(plain.place, sourceOf("old"), stop);
  await assertRejects(() => plain.driver.write(plain.place, sourceOf("new"), stop), StoreError, "force is not set");
  assertEquals([...cluster.entries.keys()].sort(), ["/", "/dir", "/dir/a"]);
});

Deno.test("hdfs: an aborted transfer ends at once", async () => {
  await using cluster = rpcCluster();
  await using hdfs = await at([cluster.port], "/a");
  const { driver, place } = hdfs;
  await driver.write(place, sourceOf(noise(400_000)), stop);
  const cut = new AbortController();
  const reader = (await driver.read(place, {}, cut.signal)).getReader();
  await reader.read();
  cut.abort(new Error("enough"));
  const rest = async () => {
    while (!(await reader.read()).done);
  };
  await assertRejects(rest, Error, "enough");
});

Deno.test("hdfs: a server that is not a name node is detected, and its announced sizes are not trusted", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serving = (async () => {
    for await (const conn of listener) {
      await conn.write(new TextEncoder().encode("HTTP/1.1 404 Not Found\r\n\r\nIt looks like you are"));
      await conn.closeWrite();
    }
  })();
  await using hdfs = await at([(listener.addr as Deno.NetAddr).port], "/a");
  const error = await assertRejects(
    () => hdfs.driver.find(hdfs.place, stop),
    StoreError,
    "violates the protocol",
  );
  assertEquals(error.kind, "final");
  listener.close();
  await serving;
});

Deno.test("crc32c() computes the examples of the standard and differs from crc32()", () => {
  const text = new TextEncoder().encode("123456789");
  assertEquals([crc32c(text), crc32(text)], [0xe3069283, 0xcbf43926]);
  assertEquals(crc32c(new Uint8Array(32)), 0x8a9136aa);
  assertEquals(crc32c(new Uint8Array(32).fill(255)), 0x62a8ab43);
});
