import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  fitPicture,
  inView,
  labelSize,
  MIN_NAME_ZOOM,
  moveIntoView,
  removeMargin,
  revealPart,
  zoomAbout,
} from "./camera.ts";

const SCREEN = { width: 800, height: 600 };

Deno.test("fitPicture: centers a small picture at 100 %, and shrinks a large one", () => {
  assertEquals(fitPicture({ width: 200, height: 100 }, SCREEN), { k: 1, x: 300, y: 250 });
  const large = fitPicture({ width: 7520, height: 100 }, SCREEN);
  assertEquals([large.k, large.x], [0.1, 24]);
});

Deno.test("zoomAbout: the point under the pointer stays in place", () => {
  const number = fc.double({ min: -500, max: 500, noNaN: true });
  fc.assert(fc.property(number, number, fc.double({ min: 0.5, max: 2, noNaN: true }), (x, y, factor) => {
    const camera = { x: 10, y: 20, k: 1 };
    const next = zoomAbout(camera, factor, { x, y });
    assert(
      Math.abs((x - next.x) / next.k - (x - camera.x)) < 1e-6 &&
        Math.abs((y - next.y) / next.k - (y - camera.y)) < 1e-6,
    );
  }));
});

Deno.test("moveIntoView: moves the camera only for what is not visible", () => {
  const camera = { x: 0, y: 0, k: 1 };
  assertEquals(moveIntoView(camera, { x: 100, y: 100, width: 50, height: 50 }, SCREEN), camera);
  assertEquals(moveIntoView(camera, { x: 1000, y: 100, width: 100, height: 50 }, SCREEN), { x: -324, y: 0, k: 1 });
  assertEquals(inView({ x: -324, y: 0, k: 2 }, SCREEN), { x: 162, y: -0, width: 400, height: 300 });
});

Deno.test("removeMargin: leaves no empty margin around a picture larger than the screen", () => {
  const screen = { width: 400, height: 300 };
  const large = { width: 4_000, height: 3_000 };
  assertEquals(removeMargin({ x: 150, y: 140, k: 0.5 }, large, screen), { x: 24, y: 24, k: 0.5 });
  assertEquals(removeMargin({ x: -1_900, y: -1_300, k: 0.5 }, large, screen), { x: -1_624, y: -1_224, k: 0.5 });
  assertEquals(removeMargin({ x: -700, y: -500, k: 0.5 }, large, screen), { x: -700, y: -500, k: 0.5 });
  // A picture smaller than the screen stays in place.
  assertEquals(removeMargin({ x: 150, y: -500, k: 0.5 }, { width: 200, height: 3_000 }, screen), {
    x: 150,
    y: -500,
    k: 0.5,
  });
});

Deno.test("labelSize: names keep at least 9 pixels on the screen as long as they are shown", () => {
  assertEquals([labelSize(2), labelSize(1), labelSize(0.5)], [13, 13, 22]);
  for (let k = MIN_NAME_ZOOM; k <= 1; k += 0.01) assert(k * labelSize(k) >= 9, `${k}`);
  assertEquals(labelSize(0.01), labelSize(0.1));
});

Deno.test("revealPart: an opened part is moved into view, and zoomed out only as far as names stay readable", () => {
  const camera = { x: 0, y: 0, k: 1 };
  const inSight = { x: 100, y: 100, width: 200, height: 100 };
  assertEquals(revealPart(camera, inSight, SCREEN), camera);
  // The corner stays in place if the smaller part then fits.
  const larger = { x: 24, y: 24, width: 1000, height: 400 };
  const zoomed = revealPart(camera, larger, SCREEN);
  assert(zoomed.k < 1 && zoomed.k >= 0.7);
  assertEquals([zoomed.x + zoomed.k * larger.x, zoomed.y + zoomed.k * larger.y], [24, 24]);
  const huge = { x: 5000, y: 5000, width: 200, height: 60_000 };
  const start = revealPart(camera, huge, SCREEN);
  assertEquals([start.k, Math.round(start.y + start.k * huge.y)], [MIN_NAME_ZOOM, 24]);
});
