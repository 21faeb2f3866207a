/** Lines of logs as they come. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { plainLogLine, readLogLine } from "./log_lines.ts";

Deno.test("a line that is read without a parser is the one that a parser reads", () => {
  const text = fc.string({ unit: fc.constantFrom("a", " ", '"', "\\", "}", "{", ",", "é", "\n", "\t") });
  fc.assert(fc.property(text, text, fc.boolean(), (podName, content, isPodFirst) => {
    const result = isPodFirst ? { podName, content } : { content, podName };
    const message = `data: ${JSON.stringify({ result })}`;
    const plain = plainLogLine(message);
    const isPlain = !/["\\\n\t]/.test(podName + content);
    assertEquals(plain, isPlain ? readLogLine(result) : undefined);
  }));
});

Deno.test("messages of other forms are left to the parser", () => {
  for (
    const message of [
      "",
      ":",
      "data: {}",
      'data: {"error":{"message":"gone"}}',
      'data: {"result":{"podName":"p","content":"c","more":"m"}}',
      'data: {"result":{"podName":"p","content":7}}',
      'data: {"result":{"podName":"p"}}',
      'data: {"result":{"content":"","podName":""}',
      'data: {"result":{"content":"c", "podName":"p"}}',
    ]
  ) assertEquals(plainLogLine(message), undefined, message);
  assertEquals(plainLogLine('data: {"result":{"content":"","podName":""}}'), { podName: "", content: "" });
});
