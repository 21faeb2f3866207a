/** A rest until the page has drawn what it has. */
import { restBehind } from "./rest.ts";

/** The longest wait for a frame: a page that is hidden draws none. */
const FRAME_MILLIS = 200;

/** Lets the page draw what it has: work that only rests goes on before the frame, again and again. */
export function frameDrawn(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      resolve();
    };
    const timer = setTimeout(end, FRAME_MILLIS);
    // The next frame draws it; with the one after that it has been drawn.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => void restBehind().then(end));
    });
  });
}
