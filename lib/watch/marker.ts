/** The supervisor's status marker: one word on the first line, a message after it (spec/pods 2.3). */
import { writeWhole, writeWholeSync } from "./write_whole.ts";

/** What the marker says. RUNNING is said again and again; a silence means that the supervisor is gone. */
export type Marker =
  | { readonly kind: "RUNNING" }
  | { readonly kind: "READY" }
  | { readonly kind: "FAILED"; readonly message: string };

/** Reads a marker's text; an unknown word counts as RUNNING. */
export function parseMarker(text: string): Marker {
  const [word, ...rest] = text.split("\n");
  if (word.trim() === "READY") return { kind: "READY" };
  if (word.trim() === "FAILED") return { kind: "FAILED", message: rest.join("\n").trim() };
  return { kind: "RUNNING" };
}

/** The marker and when it was last written, milliseconds since 1970; undefined when there is none. */
export async function readMarker(file: string): Promise<{ marker: Marker; writtenAt: number } | undefined> {
  try {
    const { mtime } = await Deno.stat(file);
    return { marker: parseMarker(await Deno.readTextFile(file)), writtenAt: mtime?.getTime() ?? 0 };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Writes a marker; readers never see half of it. */
export async function writeMarker(file: string, marker: Marker): Promise<void> {
  await writeWhole(file, textOf(marker));
}

/** The same at once, for a supervisor that is about to break down. */
export function writeMarkerSync(file: string, marker: Marker): void {
  writeWholeSync(file, textOf(marker));
}

function textOf(marker: Marker): string {
  return marker.kind === "FAILED" ? `FAILED\n${marker.message}` : marker.kind;
}
