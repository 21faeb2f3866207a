/** Parses Markdown pages: links, anchors, code blocks and inline code, each with its line. */

/** A piece of a page, and its first line, counted from 1. */
export interface Piece {
  readonly line: number;
  readonly text: string;
}

/** A fenced code block. Its text starts in the line after the fence. */
export interface Block extends Piece {
  /** The word after the fence: `yaml`, `sh`. */
  readonly language: string;
}

/** A parsed page. */
export interface Page {
  /** The path from the root of the repository. */
  readonly path: string;
  /** The unmodified targets of its links. */
  readonly links: readonly Piece[];
  /** The anchors that GitHub generates for its headings. */
  readonly anchors: ReadonlySet<string>;
  readonly blocks: readonly Block[];
  /** The inline code. */
  readonly code: readonly Piece[];
}

/** Parses a page. */
export function readPage(path: string, text: string): Page {
  const blocks: Block[] = [];
  const prose: string[] = [];
  let open:
    | { readonly fence: string; readonly indent: number; readonly block: Block; readonly lines: string[] }
    | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const [, indent = "", fence = "", language = ""] = /^(\s*)(`{3,})\s*(\S*)/.exec(line) ?? [];
    if (open === undefined) {
      prose.push(fence ? "" : line);
      if (fence) open = { fence, indent: indent.length, block: { line: index + 2, language, text: "" }, lines: [] };
      continue;
    }
    prose.push("");
    if (fence.startsWith(open.fence) && language === "") {
      blocks.push({ ...open.block, text: open.lines.join("\n") });
      open = undefined;
    } else open.lines.push(line.slice(open.indent));
  }
  const read = prose.join("\n");
  const spans = [...read.matchAll(/(?<!`)(`+)(?!`)((?:(?!\n\n)[^`]|(?!\1(?!`))`)+?)\1(?!`)/g)];
  let withoutCode = "";
  let end = 0;
  for (const span of spans) {
    withoutCode += read.slice(end, span.index) + span[0].replace(/[^\n]/g, "x");
    end = span.index + span[0].length;
  }
  withoutCode += read.slice(end);
  const pieceOf = (offset: number, words: string): Piece => ({ line: lineAt(read, offset), text: words });
  return {
    path,
    links: [...withoutCode.matchAll(/\]\(([^()\s]+)\)/g)].map((link) => pieceOf(link.index, link[1]!)),
    anchors: anchorsOf(prose),
    blocks,
    code: spans.map((span) => pieceOf(span.index, span[2]!.replace(/\s*\n\s*/g, " "))),
  };
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let index = text.indexOf("\n"); index >= 0 && index < offset; index = text.indexOf("\n", index + 1)) line += 1;
  return line;
}

function anchorsOf(prose: readonly string[]): Set<string> {
  const counts = new Map<string, number>();
  for (const line of prose) {
    const heading = /^#{1,6} +(.*)$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim().toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N}_\- ]/gu, "").replaceAll(" ", "-");
    counts.set(anchor, (counts.get(anchor) ?? 0) + 1);
  }
  return new Set(
    [...counts].flatMap(([anchor, count]) =>
      Array.from({ length: count }, (_, index) => index === 0 ? anchor : `${anchor}-${index}`)
    ),
  );
}
