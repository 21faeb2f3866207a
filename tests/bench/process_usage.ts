/** Reads the CPU time and memory of a process from the kernel. */
const TICKS_PER_SECOND = 100;

/** CPU time of a process so far, in seconds. */
export function cpuSecondsOf(pid: number): number {
  return cpuSecondsIn(`/proc/${pid}/stat`);
}

/** CPU time of one thread of a process so far, in seconds. */
export function threadCpuSecondsOf(pid: number, thread: number): number {
  return cpuSecondsIn(`/proc/${pid}/task/${thread}/stat`);
}

function cpuSecondsIn(path: string): number {
  const stat = Deno.readTextFileSync(path);
  // The name of the program may contain spaces, so fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Peak resident memory of a process, in MiB. */
export function peakMemoryOf(pid: number): number {
  return statusOf(pid, /^VmHWM:\s+(\d+) kB$/m) / 1024;
}

/** Current resident memory of a process, in MiB. */
export function memoryOf(pid: number): number {
  return statusOf(pid, /^VmRSS:\s+(\d+) kB$/m) / 1024;
}

function statusOf(pid: number, line: RegExp): number {
  return Number(line.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1]);
}
