import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { PATH } from "@tiphys/base/constants";
import type { PodTemplate, TemplateArtifact } from "../pod/template.ts";
import { memoryStore } from "../testing/memory_store.ts";
import { testWorld } from "../testing/world.ts";
import { at } from "../world.ts";
import { watchLogs } from "./live_logs.ts";
import { saveLogs } from "./save_artifacts.ts";

const MIB = 1024 * 1024;
const KEY = "wf/pod/main.log";
const TEMPLATE: PodTemplate = { container: {}, archiveLocation: { archiveLogs: true, s3: { key: "wf/pod" } } };

/** A pod whose main prints on demand, with live upload of its log. */
async function printing(template = TEMPLATE) {
  const clock = fakeClock();
  const store = memoryStore();
  const world = await testWorld({ clock, driverFor: store.driverFor });
  const path = at(world, `${PATH.containers}/main/combined`);
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  const told: (readonly TemplateArtifact[])[] = [];
  let printed = 0;
  const live = watchLogs(world, template, (artifacts) => Promise.resolve(void told.push(artifacts)));
  return {
    clock,
    store,
    world,
    told,
    live,
    path,
    /** Prints `bytes` bytes that differ from the previous ones. */
    print(bytes: number) {
      const text = Uint8Array.from({ length: bytes }, (_, index) => (printed + index) * 31 % 251);
      printed += bytes;
      Deno.writeFileSync(path, text, { append: true });
    },
    /** Triggers one check of the log size. */
    async look() {
      const looked = clock.nextTimer();
      clock.advance(10_000);
      await looked;
    },
    text: () => Deno.readFileSync(path),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

const sumOf = (bytes: Uint8Array) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const isSame = (a: Uint8Array | undefined, b: Uint8Array) => a !== undefined && sumOf(a) === sumOf(b);

Deno.test("live logs: a small log is uploaded once, after main has ended", async () => {
  await using pod = await printing();
  pod.print(1000);
  await pod.look();
  await pod.look();
  assertEquals([pod.store.places, pod.told], [[], []]);
  const { artifacts } = await saveLogs(pod.world, TEMPLATE, undefined, await pod.live.end());
  assertEquals(pod.store.events, [`save ${KEY}`, `saved ${KEY}`]);
  assertEquals([artifacts[0]!.size, artifacts[0]!.digest], [1000, sumOf(pod.text())]);
});

Deno.test("live logs: a growing log is appended to in its store while main runs", async () => {
  await using pod = await printing();
  pod.print(8 * MIB);
  await pod.look();
  assert(isSame(pod.store.objects.get(KEY), pod.text()), "a pod that is lost now leaves this");
  assertEquals(pod.told, [[{ name: "main-logs", s3: { key: KEY } }]]);
  pod.print(MIB);
  await pod.look();
  assertEquals(pod.store.objects.get(KEY)!.length, 8 * MIB, "a little more waits for more");
  pod.print(8 * MIB);
  await pod.look();
  assert(isSame(pod.store.objects.get(KEY), pod.text()));
  pod.print(5);
  const sent = await pod.live.end();
  const { artifacts, problems } = await saveLogs(pod.world, TEMPLATE, undefined, sent);
  assertEquals(problems, []);
  assert(isSame(pod.store.objects.get(KEY), pod.text()), "in the end it is the same object as ever");
  assertEquals(artifacts, [
    { name: "main-logs", s3: { key: KEY }, size: 17 * MIB + 5, digest: sumOf(pod.text()) } as TemplateArtifact,
  ]);
  assertEquals(pod.store.events.filter((event) => !event.startsWith("load")), [
    `save ${KEY}`,
    `saved ${KEY}`,
    `add ${9 * MIB} to ${KEY}`,
    `add 5 to ${KEY}`,
  ]);
  assertEquals(pod.told.length, 1);
});

Deno.test("live logs: a log is uploaded again when main rewrote it or the stored object changed", async () => {
  for (const change of ["log", "shorter", "object"]) {
    await using pod = await printing();
    pod.print(20 * MIB);
    await pod.look();
    if (change === "object") pod.store.objects.set(KEY, new Uint8Array(3));
    else if (change === "shorter") Deno.truncateSync(pod.path, 17 * MIB);
    else {
      using file = Deno.openSync(pod.path, { write: true });
      file.writeSync(new TextEncoder().encode("other"));
    }
    const { artifacts, problems } = await saveLogs(pod.world, TEMPLATE, undefined, await pod.live.end());
    assertEquals(problems, []);
    assert(isSame(pod.store.objects.get(KEY), pod.text()), change);
    assertEquals(artifacts[0]!.digest, sumOf(pod.text()));
    assert(pod.world.logged.some((line) => line.includes("uploading the whole log")), change);
  }
});

Deno.test("live logs: a store without append receives the log once, after main has ended", async () => {
  await using pod = await printing();
  const world = {
    ...pod.world,
    driverFor: async (location: Parameters<typeof pod.store.driverFor>[0]) => ({
      ...await pod.store.driverFor(location),
      append: undefined,
    }),
  } as unknown as typeof pod.world;
  const live = watchLogs(world, TEMPLATE, () => Promise.reject(new Error("unreachable")));
  pod.print(9 * MIB);
  await pod.live.end();
  for (let looks = 0; looks < 5; looks++) await pod.look();
  assertEquals([pod.store.objects.size, pod.store.places.length], [0, 3]);
  assertEquals(pod.world.logged.filter((line) => line.includes("cannot append to files")).length, 3);
  await saveLogs(world, TEMPLATE, undefined, await live.end());
  assert(isSame(pod.store.objects.get(KEY), pod.text()));
});

Deno.test("live logs: the end of main cancels an upload in progress, and the final upload completes the log", async () => {
  await using pod = await printing();
  const begun = Promise.withResolvers<void>();
  let isFirst = true;
  pod.store.during = (_, stop) => {
    if (!isFirst) return;
    isFirst = false;
    begun.resolve();
    return new Promise((_, reject) => stop.addEventListener("abort", () => reject(stop.reason)));
  };
  pod.print(20 * MIB);
  pod.clock.advance(10_000);
  await begun.promise;
  const sent = await pod.live.end();
  assertEquals([sent.size, pod.store.objects.size], [0, 0]);
  await saveLogs(pod.world, TEMPLATE, undefined, sent);
  assert(isSame(pod.store.objects.get(KEY), pod.text()));
});

Deno.test("live logs: inactive when logs are not archived", async () => {
  for (const archiveLocation of [undefined, { s3: { key: "wf/pod" } }]) {
    await using pod = await printing({ container: {}, ...archiveLocation ? { archiveLocation } : {} });
    assertEquals(pod.clock.timersSet, 0);
    assertEquals((await pod.live.end()).size, 0);
  }
});
