import { assertEquals } from "@std/assert";
import type { Template } from "@tiphys/model/api";
import { causeOf, hasMore, runMessage } from "./cause.ts";

const template = {
  name: "load",
  timeout: "30s",
  container: { image: "etl:1", resources: { limits: { memory: "512Mi" } } },
} as Template;

Deno.test("causeOf: recognizes known messages, and returns others unchanged", () => {
  const rows = [
    ["main: OOMKilled (exit code 137)", "killed: out of memory, limit 512Mi", "memory"],
    ["main: Error (exit code 137)", "killed (exit code 137)", "killed"],
    ["main: Error (exit code 3): two rows\nmore", "exit code 3: two rows", undefined],
    ["Error (exit code 127)", "exit code 127", "command"],
    [
      "main: StartError (exit code 126): no such file",
      "main: StartError (exit code 126): no such file",
      "executable",
    ],
    ["Pod was active on the node longer than the specified deadline", "timed out after 30s", "deadline"],
    ["Step exceeded its deadline", "timed out after 30s", "deadline"],
    [
      "Pod failed before main container starts due to ImagePullBackOff: Back-off pulling image",
      "the image etl:1 cannot be pulled",
      "image",
    ],
    [
      "main: Error (exit code 1): ErrImagePull OOMKilled deadline",
      "exit code 1: ErrImagePull OOMKilled deadline",
      undefined,
    ],
    ["the lock is lost", "the lock is lost", undefined],
    [
      'main: Error (exit code 64): failed to find name in PATH: exec: "pyhton": executable file not found in $PATH',
      "command pyhton not found",
      "command",
    ],
    [
      'main: Error (exit code 1): failed to find name in PATH: exec: "pyhton": no',
      'exit code 1: failed to find name in PATH: exec: "pyhton": no',
      undefined,
    ],
  ] as const;
  for (const [message, text, kind] of rows) assertEquals(causeOf({ message }, template), { text, kind }, message);
});

Deno.test("causeOf: omits unknown limits", () => {
  assertEquals(causeOf({ message: "main: OOMKilled (exit code 137)" }).text, "killed: out of memory");
  assertEquals(causeOf({ message: "Step exceeded its deadline" }).text, "timed out");
  assertEquals(causeOf({}), { text: "", kind: undefined });
  assertEquals(causeOf({ message: "x".repeat(1_000) }).text.length, 300);
});

Deno.test("runMessage: names the failed step and its cause instead of an ID", () => {
  const rows = [
    ["child 'hello-2158214818' failed", "a step failed"],
    ["child 'hello-215 (load)' failed", "load failed"],
    ["child 'hello-215 (load: main: Error (exit code 3): no id)' failed", "load: exit code 3: no id"],
    ["child 'hello-215 (load(0:a): main: OOMKilled (exit code 137))' failed", "load(0:a): killed: out of memory"],
    ["child 'hello-215 (load: a: b: main: Error (exit code 3))' failed", "b: exit code 3"],
    ["child 'hello-215 (load: cannot read: no such file)' failed", "load: cannot read: no such file"],
    ["child 'hello-215 (load: No more retries left: main: Error (exit code 3))' failed", "load: exit code 3"],
    ["task 'train' failed: main: OOMKilled (exit code 137)", "train: killed: out of memory"],
    ["task 'all' errored: task 'train' failed: Step exceeded its deadline", "train: timed out"],
    ["task 'train' failed", "train failed"],
    ["No more retries left: hello(1): main: Error (exit code 3)", "hello(1): exit code 3"],
    ["No more retries left", "No more retries left"],
    ["Stopped with strategy 'Stop'", "Stopped with strategy 'Stop'"],
    ["", ""],
  ] as const;
  for (const [message, text] of rows) assertEquals(runMessage(message), text);
  assertEquals(runMessage(undefined), "");
});

Deno.test("hasMore: a message that its cause repeats is not shown again", () => {
  const rows = [
    ["main: Error (exit code 3): no id", false],
    ["main: Error (exit code 3)", false],
    ["the lock is lost", false],
    ["main: Error (exit code 3): no id\nat line 3", true],
    ["main: OOMKilled (exit code 137)", true],
    [`main: Error (exit code 3): ${"x".repeat(1_000)}`, true],
  ] as const;
  for (const [message, more] of rows) assertEquals(hasMore(message, causeOf({ message })), more, message);
});
