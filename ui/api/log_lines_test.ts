import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type LogPiece, LogReader, plainLogLine, readLogLine } from "./log_lines.ts";

Deno.test("plainLogLine: equals the parsed line", () => {
  const text = fc.string({ unit: fc.constantFrom("a", " ", '"', "\\", "}", "{", ",", "é", "\n", "\t") });
  fc.assert(fc.property(text, text, fc.boolean(), (podName, content, isPodFirst) => {
    const result = isPodFirst ? { podName, content } : { content, podName };
    const message = `data: ${JSON.stringify({ result })}`;
    const plain = plainLogLine(message);
    const isPlain = !/["\\\n\t]/.test(podName + content);
    assertEquals(plain, isPlain ? readLogLine(result) : undefined);
  }));
});

Deno.test("plainLogLine: undefined for other message formats", () => {
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

/** The lines of pieces, parsed or by their offsets. */
function linesOf(pieces: readonly LogPiece[]): unknown[] {
  return pieces.flatMap((piece) => {
    if (piece.kind === "messages") {
      return piece.messages.filter((message) => message.startsWith("data:")).map((message) =>
        JSON.parse(message.slice(5)).result
      );
    }
    const { places, text, bytes } = piece;
    return Array.from({ length: places.length / 4 }, (_, i) => {
      const [from, to, begin, end] = places.slice(i * 4, i * 4 + 4) as [number, number, number, number];
      assertEquals(new TextDecoder().decode(bytes.subarray(begin, end)), text.slice(begin, end));
      return { podName: text.slice(from, to), content: text.slice(begin, end) };
    });
  });
}

Deno.test("LogReader: yields the same lines in order, however the bytes are split", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", " ", '"', "\\", "}", "é", "🚀", "\x7f", "\ufffd", "\n"),
    maxLength: 6,
  });
  const line = fc.record({ podName: text, content: text }, { noNullPrototype: true });
  const cuts = fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1 });
  fc.assert(fc.property(fc.array(line), cuts, fc.boolean(), (lines, cuts, isEnded) => {
    const whole = lines.map((result) => `data: ${JSON.stringify({ result })}`).join("\n\n") + (isEnded ? "\n\n" : "");
    const bytes = new TextEncoder().encode(whole);
    const reader = new LogReader();
    const found: unknown[] = [];
    for (let offset = 0, i = 0; offset < bytes.length; i++) {
      const size = cuts[i % cuts.length]!;
      found.push(...linesOf(reader.read(bytes.subarray(offset, offset + size))));
      offset += size;
    }
    assertEquals([...found, ...linesOf(reader.end())], lines);
  }));
});

Deno.test("LogReader: returns complete lines of the usual format by offset, and others for the parser", () => {
  const plain = (content: string) => `data: {"result":{"content":"${content}","podName":"p"}}\n\n`;
  const kinds = (text: string) => {
    const reader = new LogReader();
    reader.read(new TextEncoder().encode(":\n"));
    return reader.read(new TextEncoder().encode(text)).map(({ kind }) => kind);
  };
  assertEquals(kinds(`\n${plain("a")}${plain("b")}`), ["messages", "plain"]);
  assertEquals(kinds(`\n${plain("a")}${plain(String.raw`say \"b\"`)}${plain("c")}`), [
    "messages",
    "plain",
    "messages",
    "plain",
  ]);
  assertEquals(kinds(`\n${plain("a")}${plain("é")}`), ["messages"]);
});
