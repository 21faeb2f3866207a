/** The form in which a file is sent, of those that lie beside it, by what a browser says that it takes. */

/** The forms that files are packed in, the smaller first. */
export const ENCODINGS = ["br", "gzip"] as const;
/** One of them, as `Content-Encoding` names it. */
export type Encoding = typeof ENCODINGS[number];

/** The form with the highest weight, the smaller one of equals; undefined for the file as it is. */
export function chosenEncoding(accept: string | null, there: (encoding: Encoding) => boolean): Encoding | undefined {
  const weights = new Map<string, number>();
  for (const part of (accept ?? "").split(",")) {
    const [name = "", ...parameters] = part.split(";").map((one) => one.trim().toLowerCase());
    const [, weight] = /^q=([01](?:\.\d{0,3})?)$/.exec(parameters.find((one) => one.startsWith("q=")) ?? "q=1") ?? [];
    // A weight that is none is nobody's wish.
    if (name !== "" && weight !== undefined) weights.set(name === "x-gzip" ? "gzip" : name, Number(weight));
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  const wanted = ENCODINGS.filter((one) => there(one) && weightOf(one) > 0);
  const best = wanted.toSorted((a, b) => weightOf(b) - weightOf(a))[0];
  // Who would rather have it as it is says so.
  return best !== undefined && weightOf(best) < (weights.get("identity") ?? 0) ? undefined : best;
}
