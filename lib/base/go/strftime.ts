/** The strftime letters of `workflow.creationTimestamp.<letter>`. */
import { formatTime } from "./layout.ts";
import type { GoTime } from "./time.ts";

/** The Go layout of each letter. */
export const STRFTIME_LETTERS: ReadonlyMap<string, string> = new Map(Object.entries({
  B: "January",
  b: "Jan",
  m: "01",
  A: "Monday",
  a: "Mon",
  d: "02",
  H: "15",
  I: "03",
  M: "04",
  S: "05",
  Y: "2006",
  y: "06",
  p: "PM",
  Z: "MST",
  z: "-0700",
  L: ".000",
}));

/** Formats a time by strftime letters. `%%` is a percent sign; unknown letters remain unchanged. */
export function strftime(time: GoTime, format: string): string {
  return format.replace(/%(.)/gsu, (whole, letter: string) => {
    if (letter === "%") return "%";
    const layout = STRFTIME_LETTERS.get(letter);
    return layout === undefined ? whole : formatTime(time, layout);
  });
}
