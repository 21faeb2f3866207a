/** The supervisor's status marker: a word on the first line, followed by a message. */

/**
 * The states of a marker. RUNNING is written repeatedly; a marker that is not renewed means that the supervisor is
 * gone.
 */
export type Marker =
  | { readonly kind: "RUNNING" }
  | { readonly kind: "READY" }
  | { readonly kind: "FAILED"; readonly message: string };

/** Parses a marker; an unknown word counts as RUNNING. */
export function parseMarker(text: string): Marker {
  const [word = "", ...rest] = text.split("\n");
  if (word.trim() === "READY") return { kind: "READY" };
  if (word.trim() === "FAILED") return { kind: "FAILED", message: rest.join("\n").trim() };
  return { kind: "RUNNING" };
}

/** Maximum bytes of a marker that are read. */
const MAX_MARKER_BYTES = 65_536;

/**
 * Returns the marker and the time of its last write, in milliseconds since the epoch; undefined when the file does not
 * exist.
 */
export async function readMarker(file: string): Promise<{ marker: Marker; writtenAt: number } | undefined> {
  try {
    const { mtime, isFile } = await Deno.stat(file);
    if (!isFile) throw new Error(`Expected a file, got a folder, pipe, socket or device: ${file}`);
    using opened = await Deno.open(file);
    const bytes = new Uint8Array(MAX_MARKER_BYTES);
    const length = await opened.read(bytes) ?? 0;
    return {
      marker: parseMarker(new TextDecoder().decode(bytes.subarray(0, length))),
      writtenAt: mtime?.getTime() ?? 0,
    };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Returns the text of a marker's file. */
export function formatMarker(marker: Marker): string {
  return marker.kind === "FAILED" ? `FAILED\n${marker.message}` : marker.kind;
}
