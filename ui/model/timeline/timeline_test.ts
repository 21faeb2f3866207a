import type { NodeStatus } from "@tiphys/model/api";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { barOf, nodesSpan, readZoom, spanAt, spanOf, ticksOf, zoomText, zoomWindow } from "./timeline.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();
const window = { from: START, to: START + 100_000 };

Deno.test("barOf: the bar of a running node ends now and is open", () => {
  const node = { phase: "Running", startedAt: at(50) } as const;
  assertEquals(barOf(node, window, START + 75_000), { left: 0.5, width: 0.25, isOpen: true });
  assertEquals(barOf(node, window, START + 80_000)!.width > 0.25, true);
});

Deno.test("barOf: a bar is clipped at the window, and undefined outside it", () => {
  const node = { phase: "Succeeded", startedAt: at(-50), finishedAt: at(10) } as const;
  assertEquals(barOf(node, window, START), { left: 0, width: 0.1, isOpen: false });
  assertEquals(barOf({ ...node, finishedAt: at(-10) }, window, START), undefined);
});

Deno.test("spanOf: undefined for a node that was skipped or has not started", () => {
  assertEquals(spanOf({ phase: "Skipped", startedAt: at(1), finishedAt: at(1) }, START), undefined);
  assertEquals(spanOf({ phase: "Pending" }, START), undefined);
  assertEquals(nodesSpan([]), undefined);
});

Deno.test("ticksOf: ticks are at round times since the start", () => {
  assertEquals(ticksOf(window, START, 5).map(({ since }) => since / 1000), [0, 30, 60, 90]);
  assertEquals(ticksOf({ from: START + 2000, to: START + 4000 }, START, 4).map(({ since }) => since / 1000), [
    2,
    2.5,
    3,
    3.5,
    4,
  ]);
});

Deno.test("zoomText: a zoom is read back", () => {
  const span = { from: START + 1500, to: START + 3250 };
  assertEquals(zoomText(span, START), "1.5..3.25");
  assertEquals(readZoom("1.5..3.25", START), span);
  assertEquals(["", "3..1", "a..b", "1..", undefined].map((text) => readZoom(text, START)), Array(5).fill(undefined));
});

Deno.test("zoomWindow: stays within the whole, and keeps the time under the pointer if possible", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(fc.property(share, share, fc.double({ min: 0.1, max: 10, noNaN: true }), share, (a, b, factor, about) => {
    const [low, high] = [Math.min(a, b), Math.max(a, b)];
    const from = window.from + low * 100_000;
    const next = zoomWindow({ from, to: Math.max(from + 100, window.from + high * 100_000) }, window, factor, about);
    assert(next.from >= window.from - 1e-3 && next.to <= window.to + 1e-3 && next.to - next.from >= 99);
  }));
});

Deno.test("nodesSpan: ends with the last node, or now while one is running, and lasts at least a second", () => {
  const node = (
    startedAt: string,
    finishedAt?: string,
  ) => ({ startedAt, finishedAt, phase: finishedAt ? "Succeeded" : "Running" } as NodeStatus);
  const at = (second: number) => Date.parse(`2026-01-01T00:00:0${second}Z`);
  const text = (second: number) => new Date(at(second)).toISOString();
  const over = nodesSpan([node(text(2), text(3)), node(text(1), text(5))])!;
  assertEquals(spanAt(over, at(9)), { from: at(1), to: at(5) });
  assertEquals(spanAt(nodesSpan([node(text(1), text(5)), node(text(2))])!, at(9)), { from: at(1), to: at(9) });
  assertEquals(spanAt(nodesSpan([node(text(1), text(1))])!, at(9)), { from: at(1), to: at(2) });
});
