import { assert, assertEquals } from "@std/assert";
import { processMetrics } from "./process_metrics.ts";

Deno.test({
  name: "process metrics: CPU time, memory and files have the standard names of Prometheus clients",
  ignore: Deno.build.os !== "linux",
  fn() {
    const lines = processMetrics().map((text) => text.split("\n"));
    const values = new Map(lines.map(([, , sample = ""]) => {
      const [name = "", value] = sample.split(" ");
      return [name, Number(value)];
    }));
    assertEquals([...values.keys()], [
      "process_cpu_seconds_total",
      "process_resident_memory_bytes",
      "process_virtual_memory_bytes",
      "process_open_fds",
      "process_max_fds",
      "process_start_time_seconds",
      "nodejs_heap_size_total_bytes",
      "nodejs_heap_size_used_bytes",
      "nodejs_external_memory_bytes",
    ]);
    for (const [name, value] of values) assert(value > 0, `${name} is ${value}`);
    assert(values.get("process_open_fds")! <= values.get("process_max_fds")!);
    assert(values.get("process_resident_memory_bytes")! <= values.get("process_virtual_memory_bytes")!);
    for (const [help, type] of lines) assert(help?.startsWith("# HELP ") && type?.startsWith("# TYPE "));
  },
});
