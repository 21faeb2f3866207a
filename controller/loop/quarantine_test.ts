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

Deno.test("quarantine: lasts a second after the first failure, and doubles each time up to ten minutes", () => {
  const { clock, quarantine: rests } = quarantine();
  const taken: number[] = [];
  for (let failure = 0; failure < 12; failure++) {
    const { until } = rests.add(KEY, workflow("1"), 5);
    taken.push((until - clock.now) / 1000);
    assertEquals(rests.quarantineEnd(KEY, workflow("1")), until);
    clock.now = until;
    assertEquals(rests.quarantineEnd(KEY, workflow("1")), undefined);
  }
  assertEquals(taken, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
});

Deno.test("quarantine: a slow failing pass gets a tenth of the time, whichever client changes the workflow", () => {
  const { clock, quarantine: rests } = quarantine();
  assertEquals(rests.add(KEY, workflow("1"), 700).until, 7000);
  assertEquals(rests.quarantineEnd(KEY, workflow("2")), 7000);
  clock.now = 7000;
  assertEquals(rests.quarantineEnd(KEY, workflow("2")), undefined);
});

Deno.test("quarantine: ends after a second if another client changes the object, but not after a write of the controller", () => {
  const { clock, quarantine: rests } = quarantine();
  for (let failure = 0; failure < 6; failure++) rests.add(KEY, workflow("1"), 5);
  rests.recordWrite(KEY, workflow("2"));
  clock.now = 1500;
  assertEquals(rests.quarantineEnd(KEY, workflow("1")), 32_000);
  assertEquals(rests.quarantineEnd(KEY, workflow("2")), 32_000);
  assertEquals(rests.quarantineEnd(KEY, workflow("3")), undefined);
});

Deno.test("quarantine: does not affect another workflow of the same name, or one whose pass succeeded", () => {
  const { quarantine: rests } = quarantine();
  rests.add(KEY, workflow("1"), 5);
  assertEquals(rests.quarantineEnd(KEY, workflow("1", "another")), undefined);
  rests.release(KEY);
  assertEquals([rests.quarantineEnd(KEY, workflow("1")), rests.size], [undefined, 0]);
});
