/** Metrics of this process, under the names that every Prometheus client has for them. */
import process from "node:process";

/** The moment at which this program began, in seconds since 1970. */
const began = Date.now() / 1000 - performance.now() / 1000;

/** The lines of a scrape about the process: its time on the processor, its memory, its start. */
export function* processMetrics(): Generator<string> {
  const { user, system } = process.cpuUsage();
  const { rss } = Deno.memoryUsage();
  yield lineOf(
    "process_cpu_seconds_total",
    "counter",
    "Total user and system CPU time spent in seconds.",
    (user + system) / 1e6,
  );
  yield lineOf("process_resident_memory_bytes", "gauge", "Resident memory size in bytes.", rss);
  yield lineOf("process_start_time_seconds", "gauge", "Start time of the process since unix epoch in seconds.", began);
}

function lineOf(name: string, type: "counter" | "gauge", help: string, value: number): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`;
}
