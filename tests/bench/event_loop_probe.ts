/**
 * Loaded before a controller that runs on Deno. Measures the delay of timers in its event loop, and writes the 99th
 * percentile, in milliseconds, to EVENT_LOOP_PROBE_FILE at exit.
 */
import { percentile } from "./statistics.ts";

const EVERY_MILLIS = 20;

const file = Deno.env.get("EVENT_LOOP_PROBE_FILE");
if (file) {
  const delays: number[] = [];
  let due = performance.now() + EVERY_MILLIS;
  const timer = setInterval(() => {
    const now = performance.now();
    delays.push(Math.max(0, now - due));
    due = now + EVERY_MILLIS;
  }, EVERY_MILLIS);
  Deno.unrefTimer(timer);
  addEventListener("unload", () => Deno.writeTextFileSync(file, String(percentile(delays, 99) ?? 0)));
}
