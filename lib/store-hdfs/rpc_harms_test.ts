/** Unexpected responses of a cluster over RPC, with a fake clock. */
import { assertEquals, assertRejects } from "@std/assert";
import { fakeClock } from "../base/clock/testing/fake_clock.ts";
import type { Source } from "@tiphys/base/net";
import { StoreError } from "@tiphys/model/artifact";
import { assertSame, bytesOf, noise } from "../artifacts/testing/contract/mod.ts";
import { sourceOf } from "../artifacts/testing/surroundings.ts";
import { rpcHdfs } from "./rpc_hdfs.ts";
import { type RpcCluster, rpcCluster, type RpcFault } from "./testing/rpc_cluster.ts";

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

const times = (count: number, harm: RpcFault) => Array<RpcFault>(count).fill(harm);

Deno.test("hdfs: waits for a block that the name node has not registered yet, also with a standby name node", async () => {
  await using active = rpcCluster();
  await using beside = standby();
  for (const clusters of [[active], [active, beside]]) {
    using bench = await hdfsOf(...clusters);
    active.harms.push(...times(3, "early"));
    await bench.clock.runUntil(bench.hdfs.create("/b", sourceOf(bench.content), stop));
    assertSame(active.entries.get("/b")!.bytes!, bench.content);
    assertEquals(bench.clock.elapsed, 50 + 200 + 400);
  }
  assertEquals(beside.calls, []);
});

Deno.test("hdfs: fails after a while with the name node's message if a block is never registered", async () => {
  await using cluster = rpcCluster();
  using bench = await hdfsOf(cluster);
  cluster.harms.push(...times(8, "early"));
  const writing = bench.clock.runUntil(bench.hdfs.create("/b", sourceOf("x"), stop));
  const error = await assertRejects(() => writing, StoreError, "addBlock failed: NotReplicatedYetException");
  assertEquals([error.kind, cluster.harms], ["transient", []]);
});

Deno.test("hdfs: completes a file when enough replicas exist, and stops asking after a limit", async () => {
  await using cluster = rpcCluster();
  using bench = await hdfsOf(cluster);
  cluster.harms.push(...times(2, "incomplete"));
  await bench.clock.runUntil(bench.hdfs.create("/b", sourceOf(bench.content), stop));
  assertSame(cluster.entries.get("/b")!.bytes!, bench.content);
  cluster.harms.push(...times(8, "incomplete"));
  const writing = bench.clock.runUntil(bench.hdfs.create("/c", sourceOf("x"), stop));
  const error = await assertRejects(() => writing, StoreError, "the blocks of /c are not sufficiently replicated");
  assertEquals([error.kind, cluster.harms], ["transient", []]);
});

Deno.test("hdfs: an exception of the active name node is reported by name, and no request is sent to the standby", async () => {
  await using active = rpcCluster();
  await using beside = standby();
  using bench = await hdfsOf(active, beside);
  active.harms.push("safe");
  const error = await assertRejects(() => bench.hdfs.makeFolder("/dir", stop), StoreError, "SafeModeException");
  assertEquals([error.kind, beside.calls], ["transient", []]);
});

Deno.test("hdfs: renews the lease of a file that is written for a long time", async () => {
  await using cluster = rpcCluster();
  using bench = await hdfsOf(cluster);
  const renewals = () => cluster.calls.filter((call) => call === "renewLease").length;
  assertEquals(renewals(), 0);
  const slow: Source = {
    size: bench.content.length,
    open: (from, to) => {
      bench.clock.advance(25_000);
      return new Blob([bench.content.slice(from, to)]).stream();
    },
  };
  await bench.hdfs.create("/b", slow, stop);
  assertEquals(renewals(), 3);
});

Deno.test("hdfs: files in encryption zones and erasure-coded files are rejected by name", async () => {
  await using cluster = rpcCluster();
  using before = await hdfsOf(cluster);
  const read = { act: "read", by: (hdfs: typeof before.hdfs) => hdfs.open("/a", { from: 0, length: 9 }, stop) };
  const write = { act: "write", by: (hdfs: typeof before.hdfs) => hdfs.create("/b", sourceOf("x"), stop) };
  for (
    const { harm, by, words } of [
      { harm: "zone", ...read, words: "/a is in an encryption zone" },
      { harm: "zone", ...write, words: "/b is in an encryption zone" },
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

Deno.test("hdfs: a data node that sends wrong bytes, or none, is replaced by the next one", async () => {
  await using cluster = rpcCluster();
  using bench = await hdfsOf(cluster);
  const read = async () => await bytesOf(await bench.hdfs.open("/a", { from: 1000, length: 300_000 }, stop));
  for (
    const [harm, words] of [
      ["ahead", "its first checksum is of byte 1001, byte 1000 was requested"],
      ["astray", "a packet begins at byte 1024, and not at 512"],
      ["empty", "a packet is empty"],
    ] as const
  ) {
    cluster.harms.push(harm);
    assertSame(await read(), bench.content.slice(1000, 301_000));
    cluster.harms.push(harm, harm);
    const error = await assertRejects(read, StoreError, words);
    assertEquals([harm, error.kind], [harm, "final"]);
  }
});
