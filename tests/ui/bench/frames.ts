/** Measures the frame times of a page. */
import { percentile } from "../../bench/statistics.ts";
import type { OpenPage } from "./scene.ts";

const NOTE_FRAMES = `
globalThis.frames_ = [];
(() => {
  let before = performance.now();
  const tick = (now) => { frames_.push(now - before); before = now; globalThis.frameTimer = requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
})()`;

/** Runs an action, and returns the 95th percentile of the time between two frames, in milliseconds. */
export async function framesWhile({ page }: OpenPage, act: () => Promise<void>): Promise<number> {
  await page.evaluate(NOTE_FRAMES);
  await act();
  const frames = await page.evaluate<number[]>("cancelAnimationFrame(frameTimer), frames_.slice(2)");
  return percentile(frames, 95) ?? NaN;
}

/** Drags the graph back and forth for a number of milliseconds. */
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

/** Scrolls down and up for a number of milliseconds. */
export async function scroll({ page }: OpenPage, millis: number): Promise<void> {
  await page.mouse.move(700, 600);
  const end = performance.now() + millis;
  for (let step = 0; performance.now() < end; step++) await page.mouse.wheel(0, step % 120 < 60 ? 400 : -400);
}
