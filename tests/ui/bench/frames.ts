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

/** Drags the picture along. */
export async function pan({ page }: OpenPage): Promise<void> {
  await page.mouse.move(900, 600);
  await page.mouse.down();
  for (let step = 0; step < 60; step++) await page.mouse.move(900 - step * 8, 600 - step * 3);
  await page.mouse.up();
}

/** Scrolls down and up again. */
export async function scroll({ page }: OpenPage, steps = 120): Promise<void> {
  await page.mouse.move(700, 600);
  for (let step = 0; step < steps; step++) await page.mouse.wheel(0, step < steps / 2 ? 400 : -400);
}
