import { assertEquals } from "@std/assert";
import type { KubeObject } from "@tiphys/kube";
import { Quarantine } from "./quarantine.ts";

const KEY = "ns/w";

function workflow(resourceVersion: string, uid = "u"): KubeObject {
  return { apiVersion: "v1", kind: "Workflow", metadata: { name: "w", namespace: "ns", uid, resourceVersion } };
}

function quarantine() {
  const clock = { now: 0 };
  return { clock, quarantine: new Quarantine({ now: () => clock.now, after: () => () => {} }) };
}

Deno.test("a workflow that fails rests for a second, then for twice as long each time, ten minutes at most", () => {
  const { clock, quarantine: rests } = quarantine();
  const taken: number[] = [];
  for (let failure = 0; failure < 12; failure++) {
    const { until } = rests.add(KEY, workflow("1"), 5);
    taken.push((until - clock.now) / 1000);
    assertEquals(rests.restOf(KEY, workflow("1")), until);
    clock.now = until;
    assertEquals(rests.restOf(KEY, workflow("1")), undefined);
  }
  assertEquals(taken, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
});

Deno.test("a pass that fails slowly has a tenth of the time, whoever changes the workflow", () => {
  const { clock, quarantine: rests } = quarantine();
  assertEquals(rests.add(KEY, workflow("1"), 700).until, 7000);
  assertEquals(rests.restOf(KEY, workflow("2")), 7000);
  clock.now = 7000;
  assertEquals(rests.restOf(KEY, workflow("2")), undefined);
});

Deno.test("somebody's change ends the rest after a second, our own write does not", () => {
  const { clock, quarantine: rests } = quarantine();
  for (let failure = 0; failure < 6; failure++) rests.add(KEY, workflow("1"), 5);
  rests.wrote(KEY, workflow("2"));
  clock.now = 1500;
  assertEquals(rests.restOf(KEY, workflow("1")), 32_000);
  assertEquals(rests.restOf(KEY, workflow("2")), 32_000);
  assertEquals(rests.restOf(KEY, workflow("3")), undefined);
});

Deno.test("another workflow of the same name does not rest, nor one that came through", () => {
  const { quarantine: rests } = quarantine();
  rests.add(KEY, workflow("1"), 5);
  assertEquals(rests.restOf(KEY, workflow("1", "another")), undefined);
  rests.release(KEY);
  assertEquals([rests.restOf(KEY, workflow("1")), rests.size], [undefined, 0]);
});
