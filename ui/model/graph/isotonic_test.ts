import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { placeInOrder } from "./isotonic.ts";

Deno.test("placeInOrder: items in order keep their wanted positions", () => {
  const places = placeInOrder(Float64Array.of(0, 10, 30), Float64Array.of(0, 5, 5));
  assertEquals([...places], [0, 10, 30]);
});

Deno.test("placeInOrder: items that want the same position share the distance", () => {
  const places = placeInOrder(Float64Array.of(10, 10, 10), Float64Array.of(0, 4, 4));
  assertEquals([...places], [6, 10, 14]);
});

Deno.test("placeInOrder: keeps every distance, and no item can improve alone", () => {
  const numbers = fc.array(fc.double({ min: -1000, max: 1000, noNaN: true }), { minLength: 1, maxLength: 30 });
  fc.assert(fc.property(numbers, fc.integer({ min: 0, max: 50 }), (desired, gap) => {
    const places = placeInOrder(Float64Array.from(desired), new Float64Array(desired.length).fill(gap));
    for (let i = 1; i < places.length; i++) assert(places[i]! - places[i - 1]! >= gap - 1e-6);
    for (let i = 0; i < places.length; i++) {
      const low = i ? places[i - 1]! + gap : -Infinity;
      const high = i + 1 < places.length ? places[i + 1]! - gap : Infinity;
      const best = Math.min(Math.max(desired[i]!, low), high);
      // A member of a block may want another position, but its neighbors in the block prevent it.
      if (low < places[i]! - 1e-6 && high > places[i]! + 1e-6) assert(Math.abs(best - places[i]!) < 1e-6);
    }
  }));
});
