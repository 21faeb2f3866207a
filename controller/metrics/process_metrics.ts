/** Metrics of this process, with the standard names of Prometheus clients. */
import process from "node:process";

/** The time at which this program started, in seconds since 1970. */
const processStart = Date.now() / 1000 - performance.now() / 1000;

type Sample = readonly [name: string, type: "counter" | "gauge", help: string, value: number | undefined];

/**
 * The metrics of the process for a scrape: CPU time, memory, files, start time. Values that the system does not provide
 * are omitted. V8's memory has the names that Prometheus clients for Node.js use.
 */
export function processMetrics(): string[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapTotal, heapUsed, external } = Deno.memoryUsage();
  const samples: readonly Sample[] = [
    ["process_cpu_seconds_total", "counter", "Total user and system CPU time spent in seconds.", (user + system) / 1e6],
    ["process_resident_memory_bytes", "gauge", "Resident memory size in bytes.", rss],
    ["process_virtual_memory_bytes", "gauge", "Virtual memory size in bytes.", virtualMemory()],
    ["process_open_fds", "gauge", "Number of open file descriptors.", openFiles()],
    ["process_max_fds", "gauge", "Maximum number of open file descriptors.", maxOpenFiles()],
    ["process_start_time_seconds", "gauge", "Start time of the process since unix epoch in seconds.", processStart],
    ["nodejs_heap_size_total_bytes", "gauge", "Process heap size in bytes.", heapTotal],
    ["nodejs_heap_size_used_bytes", "gauge", "Process heap size used in bytes.", heapUsed],
    ["nodejs_external_memory_bytes", "gauge", "External memory size in bytes.", external],
  ];
  return samples.flatMap(([name, type, help, value]) =>
    value === undefined ? [] : [`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`]
  );
}

/** The folder in which Linux provides data about this process. */
const OWN = "/proc/self";

function virtualMemory(): number | undefined {
  return optional(() => {
    const [, kilobytes] = /^VmSize:\s+(\d+) kB$/m.exec(Deno.readTextFileSync(`${OWN}/status`)) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  });
}

function openFiles(): number | undefined {
  return optional(() => [...Deno.readDirSync(`${OWN}/fd`)].length);
}

function maxOpenFiles(): number | undefined {
  return optional(() => {
    const [, most] = /^Max open files\s+(\d+)/m.exec(Deno.readTextFileSync(`${OWN}/limits`)) ?? [];
    return most === undefined ? undefined : Number(most);
  });
}

/** Returns undefined on systems without that folder, or without permission to read it. */
function optional(read: () => number | undefined): number | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
