/** Metrics of this process, under the names that every Prometheus client has for them. */
import process from "node:process";

/** The moment at which this program began, in seconds since 1970. */
const began = Date.now() / 1000 - performance.now() / 1000;

type Sample = readonly [name: string, type: "counter" | "gauge", help: string, value: number | undefined];

/**
 * The lines of a scrape about the process: its time on the processor, its memory, its files, its start; of what the system does
 * not tell there is none. V8's memory has the names that clients of Node.js give it.
 */
export function processMetrics(): string[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapTotal, heapUsed, external } = Deno.memoryUsage();
  const samples: readonly Sample[] = [
    ["process_cpu_seconds_total", "counter", "Total user and system CPU time spent in seconds.", (user + system) / 1e6],
    ["process_resident_memory_bytes", "gauge", "Resident memory size in bytes.", rss],
    ["process_virtual_memory_bytes", "gauge", "Virtual memory size in bytes.", virtualMemory()],
    ["process_open_fds", "gauge", "Number of open file descriptors.", openFiles()],
    ["process_max_fds", "gauge", "Maximum number of open file descriptors.", mostFiles()],
    ["process_start_time_seconds", "gauge", "Start time of the process since unix epoch in seconds.", began],
    ["nodejs_heap_size_total_bytes", "gauge", "Process heap size in bytes.", heapTotal],
    ["nodejs_heap_size_used_bytes", "gauge", "Process heap size used in bytes.", heapUsed],
    ["nodejs_external_memory_bytes", "gauge", "External memory size in bytes.", external],
  ];
  return samples.flatMap(([name, type, help, value]) =>
    value === undefined ? [] : [`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`]
  );
}

/** The folder in which Linux tells about this process. */
const OWN = "/proc/self";

function virtualMemory(): number | undefined {
  return told(() => {
    const [, kilobytes] = /^VmSize:\s+(\d+) kB$/m.exec(Deno.readTextFileSync(`${OWN}/status`)) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  });
}

function openFiles(): number | undefined {
  return told(() => [...Deno.readDirSync(`${OWN}/fd`)].length);
}

function mostFiles(): number | undefined {
  return told(() => {
    const [, most] = /^Max open files\s+(\d+)/m.exec(Deno.readTextFileSync(`${OWN}/limits`)) ?? [];
    return most === undefined ? undefined : Number(most);
  });
}

/** Other systems have no such folder, and not everybody may read it. */
function told(ask: () => number | undefined): number | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
