/** Line-delimited streams: watches and event logs. */

/** Yields each line of a byte stream without its newline, including a last line without newline. */
export async function* readLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // The start of the current line. It is joined once, so that the work for a long line grows with its length only.
  let pieces: string[] = [];
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      pieces.push(text.slice(start, end));
      yield pieces.join("");
      pieces = [];
      start = end + 1;
    }
    if (start < text.length) pieces.push(text.slice(start));
  }
  const rest = pieces.join("") + decoder.decode();
  if (rest !== "") yield rest;
}
