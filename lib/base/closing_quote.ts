/** Texts in quotes, as JSON has them. */

/** The place of the quote that ends the text whose first quote stands at `start`; -1 where there is none. */
export function closingQuote(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}
