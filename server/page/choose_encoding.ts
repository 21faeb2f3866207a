/** Chooses the encoding of a file from those available, by the browser's `Accept-Encoding`. */

/** The encodings of files, the smallest result first. */
export const ENCODINGS = ["br", "gzip"] as const;
/** An encoding, as in `Content-Encoding`. */
export type Encoding = typeof ENCODINGS[number];

/** Returns the encoding with the highest weight, the smaller result if equal; undefined for the unencoded file. */
export function chooseEncoding(accept: string | null, there: (encoding: Encoding) => boolean): Encoding | undefined {
  const weights = new Map<string, number>();
  for (const part of (accept ?? "").split(",")) {
    const [name = "", ...parameters] = part.split(";").map((part) => part.trim().toLowerCase());
    const [, weight] = /^q=([01](?:\.\d{0,3})?)$/.exec(
      parameters.find((parameter) => parameter.startsWith("q=")) ?? "q=1",
    ) ?? [];
    // Entries with an invalid weight are ignored.
    if (name !== "" && weight !== undefined) weights.set(name === "x-gzip" ? "gzip" : name, Number(weight));
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  const wanted = ENCODINGS.filter((encoding) => there(encoding) && weightOf(encoding) > 0);
  const best = wanted.toSorted((a, b) => weightOf(b) - weightOf(a))[0];
  // A client may prefer the unencoded file with a higher weight of `identity`.
  return best !== undefined && weightOf(best) < (weights.get("identity") ?? 0) ? undefined : best;
}
