import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type Driver, StoreError } from "@tiphys/model/artifact";
import { driverFor } from "../stores/driver_for.ts";
import { FaultProxy, testContract } from "../artifacts/testing/contract/mod.ts";
import { driverEnvironment, sourceOf, textOf } from "../artifacts/testing/surroundings.ts";
import { nameNode } from "./testing/name_node.ts";

const stop = new AbortController().signal;
const shared = nameNode();
globalThis.addEventListener("unload", () => void shared[Symbol.asyncDispose]());

async function at(ports: readonly number[], key: string, settings: object = {}) {
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`);
  const place = { store: "hdfs", key, settings: { addresses, force: true, hdfsUser: "me", ...settings } };
  return { driver: await driverFor(place, driverEnvironment()) as Driver, place };
}

testContract({
  name: "hdfs",
  driver: async (through = shared.port) => (await at([through], "/x")).driver,
  place: (key, through = shared.port) => ({
    store: "hdfs",
    key: `/${key}`,
    settings: { addresses: [`http://127.0.0.1:${through}`], force: true },
  }),
  port: shared.port,
  cannot: {
    "AR-05": "a file and a folder cannot have the same name",
    "AR-10": "a path cannot have .. in it",
    "AR-50": "a file is checked before it is read; see below",
    "AR-50b": "a folder is made before a file is written; see below",
    "AR-55": "a file is checked before it is written",
    "AR-13": "a file and a folder cannot have the same name",
  },
});

Deno.test("hdfs: finds the active name node of several, also after a failover", async () => {
  await using first = nameNode();
  await using second = nameNode();
  first.isStandby = true;
  const { driver, place } = await at([1, first.port, second.port], "/a");
  await driver.write(place, sourceOf("x"), stop);
  assertEquals(second.entries.has("/a"), true);
  second.isStandby = true;
  first.isStandby = false;
  assertEquals((await assertRejects(() => driver.find(place, stop), StoreError)).kind, "missing");
});

Deno.test("hdfs: an interrupted transfer with a data node is transient, and leaves neither a changed nor a temporary file", async () => {
  await using node = nameNode();
  const direct = await at([node.port], "/dir/a");
  await direct.driver.write(direct.place, sourceOf("before"), stop);
  const faults = new FaultProxy(node.port);
  const { driver, place } = await at([faults.port], "/dir/a");
  faults.planFaults([{ kind: "cut answer", after: 3 }], /^GET .*op=OPEN.*data=1/);
  const reading = async () => await textOf(await driver.read(place, {}, stop));
  assertEquals((await assertRejects(reading, StoreError)).kind, "transient");
  faults.planFaults([{ kind: "cut request", after: 3 }], /^PUT .*op=CREATE.*data=1/);
  const writing = () => driver.write(place, sourceOf("after it all"), stop);
  assertEquals((await assertRejects(writing, StoreError)).kind, "transient");
  assertEquals([await reading(), [...node.entries.keys()].sort()], ["before", ["/", "/dir", "/dir/a"]]);
  await faults.close();
});

Deno.test("hdfs: replaces a file only if force is set, and leaves no temporary file", async () => {
  await using node = nameNode();
  const { driver, place } = await at([node.port], "/dir/a", { force: false });
  await driver.write(place, sourceOf("old"), stop);
  await assertRejects(() => driver.write(place, sourceOf("new"), stop), StoreError, "force is not set");
  assertEquals(await textOf(await driver.read(place, {}, stop)), "old");
  const forced = await at([node.port], "/dir/a");
  await forced.driver.write(place, sourceOf("new"), stop);
  assertEquals([...node.entries.keys()].sort(), ["/", "/dir", "/dir/a"]);
});

Deno.test("hdfs: rejects an unsupported setting by name before any request", async () => {
  const cases: [object, string][] = [
    [{ addresses: ["namenode:8020", "http://namenode:9870"] }, "must all be those of WebHDFS"],
    [{ addresses: ["name node"] }, '"name node" is not the address of a name node'],
    [{ addresses: ["namenode:99999"] }, "is not the address of a name node"],
    [{ addresses: ["namenode"], hdfsUser: undefined }, "hdfsUser is required"],
    [{ addresses: [] }, "addresses is required"],
    [{ krbKeytabSecret: { key: "k" } }, "Kerberos is not supported over WebHDFS"],
    [{ dataTransferProtection: "privacy" }, "dataTransferProtection is a part of Kerberos"],
  ];
  for (const [settings, text] of cases) {
    const error = await assertRejects(() => at([1], "/a", settings), StoreError);
    assertEquals(error.kind, "final");
    assertStringIncludes(error.message, text);
  }
});
