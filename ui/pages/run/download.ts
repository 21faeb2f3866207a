/** Downloads of content that the page created. */
import { trackPending } from "../../settled.ts";

/** The time for which a file is kept, so that the browser can ask where to save it. */
const KEPT_MILLIS = 60_000;

/** Offers a file as a download. */
export function download(name: string, type: string, parts: BlobPart[]): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MILLIS);
}

/** The longest side of an image in pixels that browsers can draw. */
const MAX_SIDE = 8192;

/** Offers an SVG document as a PNG of twice its size, or less if that exceeds the limit of browsers. */
export async function downloadAsPng(name: string, svg: string): Promise<void> {
  using _waiting = trackPending();
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.min(2, MAX_SIDE / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.floor(image.width * scale));
    canvas.height = Math.max(1, Math.floor(image.height * scale));
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (picture) download(name, "image/png", [picture]);
  } finally {
    URL.revokeObjectURL(url);
  }
}
