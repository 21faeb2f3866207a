/** Frames of a page, and their 95th percentile. */
import { percentile } from "../../bench/statistics.ts";
import type { OpenPage } from "./scene.ts";

const NOTE_FRAMES = `
globalThis.frames_ = [];
(() => {
  let before = performance.now();
  const tick = (now) => { frames_.push(now - before); before = now; globalThis.frameTimer = requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
})()`;

/** The time between two frames while something is done, as 95 of 100 have it or less. */
export async function framesWhile({ page }: OpenPage, act: () => Promise<void>): Promise<number> {
  await page.evaluate(NOTE_FRAMES);
  await act();
  const frames = await page.evaluate<number[]>("cancelAnimationFrame(frameTimer), frames_.slice(2)");
  return percentile(frames, 95) ?? NaN;
}

/** Drags the picture along and back, for so long. */
export async function pan({ page }: OpenPage, millis: number): Promise<void> {
  await page.mouse.move(900, 600);
  await page.mouse.down();
  const end = performance.now() + millis;
  for (let step = 0; performance.now() < end; step++) {
    const way = step % 120 < 60 ? step % 60 : 60 - step % 60;
    await page.mouse.move(900 - way * 8, 600 - way * 3);
  }
  await page.mouse.up();
}

/** Scrolls down and up again, for so long. */
export async function scroll({ page }: OpenPage, millis: number): Promise<void> {
  await page.mouse.move(700, 600);
  const end = performance.now() + millis;
  for (let step = 0; performance.now() < end; step++) await page.mouse.wheel(0, step % 120 < 60 ? 400 : -400);
}
