/** The supervisor's status marker: one word on the first line, a message after it. */

/** The states that the marker tells. RUNNING is said again and again; a silence means that the supervisor is gone. */
export type Marker =
  | { readonly kind: "RUNNING" }
  | { readonly kind: "READY" }
  | { readonly kind: "FAILED"; readonly message: string };

/** Reads a marker's text; an unknown word counts as RUNNING. */
export function parseMarker(text: string): Marker {
  const [word = "", ...rest] = text.split("\n");
  if (word.trim() === "READY") return { kind: "READY" };
  if (word.trim() === "FAILED") return { kind: "FAILED", message: rest.join("\n").trim() };
  return { kind: "RUNNING" };
}

/** The most bytes of a marker that are read: the reason of a failure is shorter. */
const LONGEST_MARKER = 65_536;

/** The marker and when it was last written, milliseconds since 1970; undefined when there is none. */
export async function readMarker(file: string): Promise<{ marker: Marker; writtenAt: number } | undefined> {
  try {
    const { mtime, isFile } = await Deno.stat(file);
    if (!isFile) throw new Error(`Expected a file, got a folder, pipe, socket or device: ${file}`);
    using opened = await Deno.open(file);
    const bytes = new Uint8Array(LONGEST_MARKER);
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

/** A marker as its file has it. */
export function textOfMarker(marker: Marker): string {
  return marker.kind === "FAILED" ? `FAILED\n${marker.message}` : marker.kind;
}
