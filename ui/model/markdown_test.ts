import { assertEquals } from "@std/assert";
import { type Block, markdownBlocks, markdownSpans, plainText, type Span } from "./markdown.ts";

/** Formats spans for assertions: `b(…)`, `i(…)`, `s(…)`, `code(…)`, `a(ADDRESS …)`. */
function formatSpans(spans: readonly Span[]): string {
  return spans.map((span) => {
    switch (span.kind) {
      case "text":
        return span.text;
      case "code":
        return `code(${span.text})`;
      case "link":
        return `a(${span.href} ${formatSpans(span.inside)})`;
      default:
        return `${{ strong: "b", em: "i", del: "s" }[span.kind]}(${formatSpans(span.inside)})`;
    }
  }).join("");
}

function describeBlock(block: Block): string {
  if (block.kind === "code") return `pre: ${block.text}`;
  if (block.kind !== "list") return `${block.kind}: ${formatSpans(block.spans)}`;
  return `${block.isOrdered ? "ol" : "ul"}: ${block.items.map(formatSpans).join(" | ")}`;
}

const LINES: readonly (readonly [title: string, text: string, wanted: string])[] = [
  ["two stars are strong, one is emphasis", "**Build** and *test*", "b(Build) and i(test)"],
  ["underscores do the same, but not within a word", "__a__ _b_ snake_case_name", "b(a) i(b) snake_case_name"],
  ["marks can be nested", "**a *b* c**", "b(a i(b) c)"],
  ["two tildes strike text out", "~~gone~~", "s(gone)"],
  ["code keeps every mark within it", "`a ** b` c", "code(a ** b) c"],
  ["a mark that nothing closes is text", "**a `b", "**a `b"],
  ["stars between spaces are text", "2 * 3 * 4", "2 * 3 * 4"],
  ["a backslash escapes the next character", "\\*a\\* \\[b]", "*a* [b]"],
  ["a link", "[docs](https://example.com/a?b=c)", "a(https://example.com/a?b=c docs)"],
  ["a link may be formatted", "[**docs**](http://example.com/)", "a(http://example.com/ b(docs))"],
  [
    "an address in the text is a link, without the dot after it",
    "see https://example.com/a.",
    "see a(https://example.com/a https://example.com/a).",
  ],
  ["a script is not an address of a link", "[x](javascript:alert(1))", "[x](javascript:alert(1))"],
  [
    "data, a file or a path is not an address of a link",
    "[x](data:text/html,a) [y](file:///a) [z](/a)",
    "[x](data:text/html,a) [y](file:///a) [z](/a)",
  ],
  ["a script after a space is not an address of a link", "[x]( javascript:alert(1))", "[x]( javascript:alert(1))"],
  ["an address within a word is text", "xhttps://example.com", "xhttps://example.com"],
  ["HTML is text", "<b onclick=x>a</b>", "<b onclick=x>a</b>"],
  [
    "a link cannot contain another link",
    "[a https://b.example/ c](https://d.example/)",
    "a(https://d.example/ a https://b.example/ c)",
  ],
  ["a picture becomes a link", "![x](https://example.com/x.png)", "!a(https://example.com/x.png x)"],
];

for (const [title, text, wanted] of LINES) {
  Deno.test(`markdownSpans: ${title}`, () => assertEquals(formatSpans(markdownSpans(text)), wanted));
}

Deno.test("markdownBlocks: reads paragraphs, headings, lists, quotes and code", () => {
  const text = "# Head\nfirst\nline\n\n- a\n- **b**\n1. c\n2. d\n> said\n```\nx **y**\n```\nend";
  assertEquals(markdownBlocks(text).map(describeBlock), [
    "heading: Head",
    "paragraph: first line",
    "ul: a | b(b)",
    "ol: c | d",
    "quote: said",
    "pre: x **y**",
    "paragraph: end",
  ]);
});

Deno.test("markdownBlocks: code without a closing fence extends to the end", () => {
  assertEquals(markdownBlocks("```\na\nb").map(describeBlock), ["pre: a\nb"]);
});

Deno.test("plainText: removes the formatting", () => {
  assertEquals(plainText(markdownSpans("**a** [b `c`](https://d.example/)")), "a b c");
});

Deno.test("markdownBlocks: loses no text other than formatting, for any combination of marks", () => {
  const letters = ["*", "_", "~", "`", "[", "]", "(", ")", "a", " ", "\\", "h", "https://e.example/"];
  let seed = 7;
  const next = () => seed = (seed * 48271) % 2147483647;
  for (let round = 0; round < 2000; round++) {
    const text = Array.from({ length: next() % 30 }, () => letters[next() % letters.length]).join("");
    const kept = plainText(markdownSpans(text)).replaceAll(/[^a]/g, "");
    const addresses = text.split("https://e.example/").length - 1;
    const wanted = text.replaceAll("https://e.example/", "").replaceAll(/[^a]/g, "");
    // The letters of an address are either in the text, or in a link with other text.
    assertEquals(kept.length >= wanted.length - addresses && kept.length <= wanted.length + addresses, true, text);
  }
});

Deno.test("markdownBlocks: cuts a long text and adds an ellipsis", () => {
  const text = plainText(markdownSpans("*a* ".repeat(100_000)));
  assertEquals([text.length < 10_000, text.endsWith("…")], [true, true]);
});

Deno.test("markdownBlocks: reads up to the given number of characters", () => {
  const text = "word\n\n".repeat(10_000);
  assertEquals([markdownBlocks(text).length, markdownBlocks(text, 30_000).length], [1_667, 5_001]);
});
