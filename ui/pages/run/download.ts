/** Downloads of what the page holds. */

/** The time for which a file is kept: long enough for a browser to ask where to put it. */
const KEPT_MILLIS = 60_000;

/** Hands the browser a file. */
export function download(name: string, type: string, parts: BlobPart[]): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MILLIS);
}
