/** The text format of Prometheus, version 0.0.4. */
import type { Instrument, Sample } from "./instrument.ts";

/** The content type of a scrape's response. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

/** Yields the response metric by metric, so that a large one is never in memory as a whole. */
export function* exposition(instruments: Iterable<Instrument>, prefix: string): Generator<string> {
  for (const instrument of instruments) {
    const { name, help, type } = instrument.definition;
    const full = `${prefix}${name}`;
    let head = `# HELP ${full} ${escapeHelp(help)}\n# TYPE ${full} ${type}\n`;
    for (const sample of instrument.samples()) {
      yield `${head}${full}${sample.suffix}${labelText(sample)} ${numberText(sample.value)}\n`;
      head = "";
    }
  }
}

function labelText({ labels }: Sample): string {
  const entries = Object.entries(labels);
  if (entries.length === 0) return "";
  // `le` comes last by convention.
  entries.sort(([a], [b]) => a === "le" ? 1 : b === "le" ? -1 : a < b ? -1 : 1);
  return `{${entries.map(([name, value]) => `${name}="${escapeValue(value)}"`).join(",")}}`;
}

function numberText(value: number): string {
  if (value === Infinity) return "+Inf";
  if (value === -Infinity) return "-Inf";
  return String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeValue(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}
