/** Waits until the page has been painted. */
import { yieldBehindTasks } from "./pauses.ts";

/** The longest wait for a frame: hidden pages paint none. */
const FRAME_MILLIS = 200;

/** Waits until the browser has painted. Merely yielding is not enough: work would continue before the frame. */
export function waitForPaint(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      resolve();
    };
    const timer = setTimeout(end, FRAME_MILLIS);
    // The next frame paints the page; at the one after that, it has been painted.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => void yieldBehindTasks().then(end));
    });
  });
}
