/** What the nodes of a cluster may answer besides what they were asked for: over RPC, by a clock that the test moves. */
import { assertEquals, assertRejects } from "@std/assert";
import { fakeClock } from "../../clock/testing/fake_clock.ts";
import type { Source } from "../../net/mod.ts";
import { StoreError } from "../driver.ts";
import { assertSame, bytesOf, noise } from "../testing/contract/mod.ts";
import { sourceOf } from "../testing/surroundings.ts";
import { rpcHdfs } from "./rpc_hdfs.ts";
import { type Harm, type RpcCluster, rpcCluster } from "./testing/rpc_cluster.ts";

const stop = new AbortController().signal;

/** A cluster with one file of several blocks, `/a`. */
async function hdfsOf(...clusters: readonly RpcCluster[]) {
  const clock = fakeClock();
  const nodes = clusters.map(({ port }) => ({ hostname: "127.0.0.1", port }));
  const hdfs = rpcHdfs({ nodes, user: "me" }, clock);
  const content = noise(600_000);
  await hdfs.create("/a", sourceOf(content), stop);
  return { hdfs, clock, content, [Symbol.dispose]: () => hdfs.close?.() };
}

function standby(): RpcCluster {
  const cluster = rpcCluster();
  cluster.isStandby = true;
  return cluster;
}

const times = (count: number, harm: Harm) => Array<Harm>(count).fill(harm);

Deno.test("a file waits for a block that the name node has not heard of yet, also where another one stands by", async () => {
  await using active = rpcCluster();
  await using beside = standby();
  for (const clusters of [[active], [active, beside]]) {
    using at = await hdfsOf(...clusters);
    active.harms.push(...times(3, "early"));
    await at.clock.runUntil(at.hdfs.create("/b", sourceOf(at.content), stop));
    assertSame(active.entries.get("/b")!.bytes!, at.content);
    assertEquals(at.clock.elapsed, 50 + 200 + 400);
  }
  assertEquals(beside.calls, []);
});

Deno.test("a block that the name node never hears of ends the file after a while, in the name node's words", async () => {
  await using cluster = rpcCluster();
  using at = await hdfsOf(cluster);
  cluster.harms.push(...times(8, "early"));
  const writing = at.clock.runUntil(at.hdfs.create("/b", sourceOf("x"), stop));
  const error = await assertRejects(() => writing, StoreError, "addBlock failed: NotReplicatedYetException");
  assertEquals([error.kind, cluster.harms], ["transient", []]);
});

Deno.test("a file is there when enough of its copies are: the name node is asked again until then, and not for ever", async () => {
  await using cluster = rpcCluster();
  using at = await hdfsOf(cluster);
  cluster.harms.push(...times(2, "incomplete"));
  await at.clock.runUntil(at.hdfs.create("/b", sourceOf(at.content), stop));
  assertSame(cluster.entries.get("/b")!.bytes!, at.content);
  cluster.harms.push(...times(8, "incomplete"));
  const writing = at.clock.runUntil(at.hdfs.create("/c", sourceOf("x"), stop));
  const error = await assertRejects(() => writing, StoreError, "the blocks of /c do not become enough copies");
  assertEquals([error.kind, cluster.harms], ["transient", []]);
});

Deno.test("what the active name node refuses is told in its words, and the one that stands by is not asked", async () => {
  await using active = rpcCluster();
  await using beside = standby();
  using at = await hdfsOf(active, beside);
  active.harms.push("safe");
  const error = await assertRejects(() => at.hdfs.makeFolder("/dir", stop), StoreError, "SafeModeException");
  assertEquals([error.kind, beside.calls], ["transient", []]);
});

Deno.test("a file that is written for long stays one's own: the name node is told now and then", async () => {
  await using cluster = rpcCluster();
  using at = await hdfsOf(cluster);
  const renewals = () => cluster.calls.filter((call) => call === "renewLease").length;
  assertEquals(renewals(), 0);
  const slow: Source = {
    size: at.content.length,
    open: (from, to) => {
      at.clock.advance(25_000);
      return new Blob([at.content.slice(from, to)]).stream();
    },
  };
  await at.hdfs.create("/b", slow, stop);
  assertEquals(renewals(), 3);
});

Deno.test("files in encryption zones, and erasure-coded ones, are refused by name", async () => {
  await using cluster = rpcCluster();
  using before = await hdfsOf(cluster);
  const read = { act: "read", by: (hdfs: typeof before.hdfs) => hdfs.open("/a", { from: 0, length: 9 }, stop) };
  const write = { act: "write", by: (hdfs: typeof before.hdfs) => hdfs.create("/b", sourceOf("x"), stop) };
  for (
    const { harm, by, words } of [
      { harm: "zone", ...read, words: "/a lies in an encryption zone" },
      { harm: "zone", ...write, words: "/b lies in an encryption zone" },
      { harm: "coded", ...read, words: "/a is erasure-coded" },
    ] as const
  ) {
    cluster.harms.push(harm);
    const hdfs = rpcHdfs({ nodes: [{ hostname: "127.0.0.1", port: cluster.port }], user: "me" });
    const error = await assertRejects(async () => void await by(hdfs), StoreError, words);
    assertEquals([harm, error.kind], [harm, "final"]);
    hdfs.close?.();
  }
});

Deno.test("a data node that gives other bytes than it was asked for, or none, gives way to the next one", async () => {
  await using cluster = rpcCluster();
  using at = await hdfsOf(cluster);
  const read = async () => await bytesOf(await at.hdfs.open("/a", { from: 1000, length: 300_000 }, stop));
  for (
    const [harm, words] of [
      ["ahead", "its first sum is of byte 1001, and byte 1000 was asked for"],
      ["astray", "a packet begins at byte 1024, and not at 512"],
      ["empty", "a packet is empty"],
    ] as const
  ) {
    cluster.harms.push(harm);
    assertSame(await read(), at.content.slice(1000, 301_000));
    cluster.harms.push(harm, harm);
    const error = await assertRejects(read, StoreError, words);
    assertEquals([harm, error.kind], [harm, "final"]);
  }
});
