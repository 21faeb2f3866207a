/** Parses ages of flags. */

const SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  mo: 30 * 86_400,
  y: 365 * 86_400,
};

/** Returns the milliseconds of an age such as `10m`, `3h` or `1d`; undefined if it is invalid. */
export function parseAge(text: string): number | undefined {
  let total = 0;
  let rest = text;
  while (rest !== "") {
    const [part = "", count, unit = ""] = /^(\d+)(mo|[smhdwy])/.exec(rest) ?? [];
    const seconds = SECONDS[unit];
    if (seconds === undefined) return undefined;
    total += Number(count) * seconds * 1000;
    rest = rest.slice(part.length);
  }
  return text === "" ? undefined : total;
}
