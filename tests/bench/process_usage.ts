/** The time and memory of a process, as the kernel counts them. */
const TICKS_PER_SECOND = 100;

/** CPU time that a process used until now, seconds. */
export function cpuSecondsOf(pid: number): number {
  return cpuSecondsIn(`/proc/${pid}/stat`);
}

/** The same of one of its threads. */
export function threadCpuSecondsOf(pid: number, thread: number): number {
  return cpuSecondsIn(`/proc/${pid}/task/${thread}/stat`);
}

function cpuSecondsIn(path: string): number {
  const stat = Deno.readTextFileSync(path);
  // The name of the program may hold spaces; the fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** The most memory that a process ever held, MiB. */
export function peakMemoryOf(pid: number): number {
  return statusOf(pid, /^VmHWM:\s+(\d+) kB$/m) / 1024;
}

/** The memory that a process holds now, MiB. */
export function memoryOf(pid: number): number {
  return statusOf(pid, /^VmRSS:\s+(\d+) kB$/m) / 1024;
}

function statusOf(pid: number, line: RegExp): number {
  return Number(line.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1]);
}
