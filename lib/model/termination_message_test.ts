import { assert, assertEquals } from "@std/assert";
import { formatTerminationMessage, type TerminationMessage } from "./termination_message.ts";
import { isNeverStarted, parseTerminationMessage } from "./parse_termination_message.ts";

Deno.test("termination message: is one line that is parsed to the same value", () => {
  const message: TerminationMessage = { stage: "inputs", artifact: "a", cause: 'no "bucket"\nat all' };
  const line = formatTerminationMessage(message);
  assertEquals(line.split("\n").length, 1);
  assertEquals(parseTerminationMessage(line), message);
});

Deno.test("termination message: fits the kubelet's limit and remains valid JSON", () => {
  for (const cause of ["x".repeat(5000), "ü".repeat(5000), '"'.repeat(5000), "\n".repeat(5000)]) {
    const line = formatTerminationMessage({ stage: "outputs", cause });
    assert(new TextEncoder().encode(line).length <= 4096);
    assert(cause.startsWith(parseTerminationMessage(line)!.cause));
  }
});

Deno.test("termination message: the text of a user's command is ignored", () => {
  for (const text of [undefined, "", "gone", '{"stage":1}', '{"stage":"wait"', '{"stage":"wait"}', '{"cause":"x"}']) {
    assertEquals(parseTerminationMessage(text), undefined);
    assertEquals(isNeverStarted(text), false);
  }
});

Deno.test("isNeverStarted: true if main never started, or its inputs could not be linked", () => {
  const says = (stage: TerminationMessage["stage"]) => isNeverStarted(formatTerminationMessage({ stage, cause: "c" }));
  assertEquals([says("wait"), says("link"), says("command"), says("outputs")], [true, true, false, false]);
});
