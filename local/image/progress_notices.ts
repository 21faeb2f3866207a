/** Formats the progress of image pulls. */
import type { PullProgress } from "./image_store.ts";

const NOTICE_EVERY_MS = 2_000;

/** Returns a receiver of progress that sends notices at the start of a pull, every two seconds, and at its end. */
export function progressNotices(onNotice: (text: string) => void): (progress: PullProgress) => void {
  let last: number | undefined;
  return ({ image, done, total }) => {
    const isFirst = last === undefined;
    if (!isFirst && done < total && performance.now() - last! < NOTICE_EVERY_MS) return;
    last = performance.now();
    onNotice(`Pulling ${image}: ${megabytes(done)} of ${megabytes(total)} MB`);
  };
}

/** Formats bytes as a number of megabytes: `4.2`. */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
