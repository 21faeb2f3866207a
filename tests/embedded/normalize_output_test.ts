import { assertEquals } from "@std/assert";
import { normalizeOutput } from "./normalize_output.ts";

Deno.test("normalizeOutput: tables that differ in ages and widths become equal", () => {
  assertEquals(
    normalizeOutput("NAME   STATUS    AGE\nlonger Running   2m3s\n"),
    normalizeOutput("NAME     STATUS  AGE\nlonger Running  4s  \n"),
  );
});

Deno.test("normalizeOutput: replaces times, UIDs and versions", () => {
  const text = 'uid: 70cf057c-48fb-4509-a476-ba71f49d77c4\ntime: "2026-11-21T11:33:10Z"\nresourceVersion: "11"';
  assertEquals(normalizeOutput(text), 'uid: <uid>\ntime: "<time>"\nresourceVersion: "<version>"');
});

Deno.test("normalizeOutput: ignores whether kubectl prints the namespace of a deleted object", () => {
  assertEquals(normalizeOutput('configmap "a" deleted from default namespace'), 'configmap "a" deleted');
});
