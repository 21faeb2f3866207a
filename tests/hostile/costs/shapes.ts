/** Shapes of hostile texts, each of any size: a text of a shape has `size` characters, or slightly more. */

/** Builds a text of about `size` characters. */
export type Shape = (size: number) => string;

/** A sequence of units, each built from its index, between a beginning and an end. */
function units(make: (index: number) => string, begin = "", end = ""): Shape {
  return (size) => {
    const parts: string[] = [begin];
    let length = begin.length + end.length;
    for (let index = 0; length < size; index++) {
      const unit = make(index);
      parts.push(unit);
      length += unit.length;
    }
    return parts.join("") + end;
  };
}

/** A repeated text. */
function row(unit: string, begin = "", end = ""): Shape {
  return units(() => unit, begin, end);
}

/** Two sequences, each half of the text. */
function rows(first: Shape, second: Shape): Shape {
  return (size) => first(size / 2) + second(size / 2);
}

/** A sequence of sequences, with equal counts. */
function square(outer: (index: number) => string, inner: (index: number) => string): Shape {
  return (size) => {
    const count = Math.max(2, Math.floor(Math.sqrt(size / inner(0).length)));
    const innerText = Array.from({ length: count }, (_, index) => inner(index)).join("");
    return Array.from({ length: count }, (_, index) => outer(index) + innerText).join("\n");
  };
}

/** Shapes of YAML, by the part that grows. */
export const YAML_SHAPES: Readonly<Record<string, Shape>> = {
  "different keys": units((index) => `k${index}: 1\n`),
  "different keys without values": units((index) => `k${index}:\n`),
  "different keys in braces": units((index) => `k${index}: 1, `, "{", "}"),
  "one key many times": row("k: 1\n"),
  "one key many times in braces": row("k: 1, ", "{", "}"),
  "keys that are numbers": units((index) => `${index}: 1\n`),
  "keys that are null": row("? \n: 1\n"),
  "keys that are lists": row("? [a]\n: 1\n"),
  "keys that are objects in braces": row("{a: 1}: 1\n"),
  "keys that are aliases": units((index) => (index === 0 ? "? &a x\n: 1\n" : "*a : 1\n")),
  "long keys": units((index) => `${"k".repeat(1000)}${index}: 1\n`),
  "one long key": row("k", "", ": 1\n"),
  "one long explicit key": row("k", "? ", "\n: 1\n"),
  "many small objects": row("- a: 1\n  b: 2\n"),
  "many objects of a hundred keys": square((index) => `o${index}:\n`, (index) => `  k${index}: 1\n`),
  "numbers in a list": row("- 1\n"),
  "empty items of a list": row("-\n"),
  "numbers in brackets": row("1,", "[", "]"),
  "empty lists in brackets": row("[],", "[", "]"),
  "empty objects in brackets": row("{},", "[", "]"),
  "commas in brackets": row(",", "[", "]"),
  "pairs in brackets": row("a: 1,", "[", "]"),
  "unclosed brackets": row("["),
  "unclosed braces": row("{a: "),
  "closing brackets": row("]"),
  "brackets, a hundred deep, many times": row(`- ${"[".repeat(90)}${"]".repeat(90)}\n`),
  "lists in one line": row("- "),
  "question marks": row("? "),
  "colons": row(": "),
  "objects by their indent": units((index) => `${" ".repeat(Math.min(index, 3000))}a:\n`),
  "long indent": units(() => `${" ".repeat(1000)}a: 1\n`, "b:\n"),
  "anchors": units((index) => `a${index}: &a${index} 1\n`),
  "anchors of one name": row("- &a 1\n"),
  "aliases of one anchor": row("- *a\n", "- &a 1\n"),
  "aliases of many anchors": rows(
    units((index) => `- &a${index} 1\n`),
    units((index) => `- *a${index}\n`),
  ),
  "aliases of a long text": rows((size) => `- &a "${"x".repeat(size)}"\n`, row("- *a\n")),
  "aliases of a long list": rows((size) => `- &a [${"1,".repeat(size / 2)}]\n`, row("- *a\n")),
  "aliases without an anchor": row("- *a\n"),
  "aliases that double": units((
    index,
  ) => (index === 0 ? "- &a0 [x]\n" : `- &a${index} [*a${index - 1}, *a${index - 1}]\n`)),
  "aliases of themselves": units((index) => `- &a${index} [*a${index}]\n`),
  "merge keys of one object": rows(
    units((index) => `k${index}: 1, `, "- &a {", "}\n"),
    row("- {<<: *a}\n"),
  ),
  "merge keys in one object": units((index) => (index === 0 ? "a: &a {x: 1}\nb:\n" : "  <<: *a\n")),
  "merge keys in a chain": units((index) =>
    index === 0 ? "- &a0 {k: 1}\n" : `- &a${index} {<<: *a${index - 1}, k${index}: 1}\n`
  ),
  "merge keys of a list of aliases": rows(
    units((index) => `- &a${index} {k${index}: 1}\n`),
    units((index) => `*a${index},`, "- {<<: [", "]}\n"),
  ),
  "tags": row("- !!str 1\n"),
  "unknown tags": units((index) => `- !t${index} 1\n`),
  "tags of one node": row("!a ", "a: ", "1"),
  "sets": units((index) => `  ? k${index}\n`, "!!set\n"),
  "ordered maps": units((index) => `- k${index}: 1\n`, "!!omap\n"),
  "exclamation marks": row("!", "a: "),
  "directives": units((index) => `%TAG !t${index}! tag:x,2000:\n`, "%YAML 1.1\n", "---\na: 1\n"),
  "one long directive and many tags": rows((size) => `%TAG !t! ${"x".repeat(size)}\n---\n`, row("- !t!a 1\n")),
  "directives and documents": rows(units((index) => `%TAG !t${index}! x\n`, "%YAML 1.1\n"), row("---\n1\n")),
  "documents": row("---\na: 1\n"),
  "empty documents": row("---\n"),
  "ends of documents": row("...\n"),
  "comments": row("# c\n", "a: 1\n"),
  "comments before keys": units((index) => `# c\nk${index}: 1\n`),
  "comments in brackets": row("1, # c\n", "[", "]"),
  "empty lines": row("\n", "a: 1\n", "b: 2\n"),
  "empty lines, then comments": rows((size) => `a: |\n  x\n${"\n".repeat(size)}`, row(" # c\n")),
  "empty lines in a list, then comments": rows((size) => `- a\n-${"\n".repeat(size)}`, row(" # c\n")),
  "empty lines under a key, then comments": rows((size) => `a:\n  b:${"\n".repeat(size)}`, row("   # c\n")),
  "lines of spaces": row("   \n", "a: 1\n"),
  "lines of tabs": row("\t\n", "a: 1\n"),
  "one long plain text": row("x y ", "a: "),
  "one long text in quotes": row("x y ", 'a: "', '"'),
  "one text in quotes over many lines": row("x\n  ", 'a: "', '"'),
  "one text in quotes of empty lines": row("\n", 'a: "', '"'),
  "one text in quotes of spaces": row(" ", 'a: "', '\n  b"'),
  "one text in single quotes of spaces": row(" ", "a: '", "\n  b'"),
  "one plain text over many lines": row("  x\n", "a:\n"),
  "one plain text of spaces and lines": row("x   \n ", "a: "),
  "escapes in quotes": row("\\u0041", '"', '"'),
  "backslashes in quotes": row("\\\\", '"', '"'),
  "escapes that do not exist": row("\\q", '"', '"'),
  "unclosed quotes": row('- "a\n'),
  "unclosed single quotes": row("- 'a\n"),
  "quotes in single quotes": row("''", "'", "'"),
  "quotes far left": row('- ["\na\n"]\n', ""),
  "blocks of text": row("- |\n  x\n"),
  "one long block of text": row("  x\n", "a: |\n"),
  "one block of indented lines": units((index) => `${" ".repeat(2 + index % 50)}x\n`, "a: >\n"),
  "one block of empty lines": row("\n", "a: |+\n"),
  "one folded block of empty lines": row("\n  x\n\n", "a: >\n"),
  "one block whose lines are only spaces": units((index) => `${" ".repeat(index % 400)}\n`, "a: |\n"),
  "headers of blocks": row("|", "a: "),
  "numbers of many digits": row("1", "a: "),
  "numbers with underscores": row("1_", "a: "),
  "colons in a number": row("1:", "a: "),
  "dates": row("2020-01-01 ", "a: "),
  "binary": row("AAAA", "!!binary "),
  "carriage returns": row("a\r", "a: "),
  "lines that end in carriage returns": units((index) => `k${index}: 1\r\n`),
  "characters of two units": row("😀", "a: "),
  "control characters": row("\u0001\u0002\u001f", "a: "),
  "start of scalar as a character": row("\u001f"),
  "ampersands": row("& ", "a: "),
  "asterisks": row("* ", "- "),
  "text behind a text in quotes": row('"a" ', "- "),
  "errors, one a line": row("a: b: c\n"),
  "tabs as indent": row("a:\n\tb: 1\n"),
  "templates of Argo in braces": row("- {{a}}\n"),
};
