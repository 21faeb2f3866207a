/**
 * `deno task bench alone`: measures the CPU time that a controller uses for a workflow of one pod, without a control
 * plane. This process runs the embedded API with TLS, and a kubelet that only writes statuses. The controller is a
 * separate process, as it is shipped. Several command lines are measured in turns.
 *
 * Needs no special rights. Docs: docs/performance.md.
 */
import { parseArgs } from "node:util";
import { bundleProgram } from "../../../scripts/build_executor.ts";
import { CONTROLLER_PROGRAM, programCommand } from "../../../scripts/image_programs.ts";
import { type LoadKind, parseLoad } from "../loads.ts";
import { type AloneOptions, type Batch, measureAlone, measureLoad, measureWithOthers, type Others } from "./measure.ts";
import { summaryOf } from "./profile_summary.ts";
import { growthExponent } from "../statistics.ts";

const USAGE = `Usage: deno task bench alone [OPTIONS]
  --own COMMAND     command line of a controller, instead of our bundle; may be repeated to compare in turns
  --stretch N       number of workflows of a batch, which runs to completion before the next one; may be repeated
                    (default: 200 and 800)
  --beside N        instead of batches, measure the memory of a controller with N completed workflows of one pod;
                    may be repeated
  --running N       the same with N workflows whose pod is running
  --curve KIND      instead of batches, measure how the cost of a load grows with its size: workflows, pods (of one
                    workflow), dag, semaphore or lock (calls of one workflow); may be repeated
  --size N          size of a load on the curves; may be repeated (default: 100, 1000 and 10000)
  --runs N          number of measurements (default: 3)
  --pod-millis N    duration of a pod in milliseconds (default: 100)
  --profile FILE    write V8's profile of the last run of the first command to FILE, and print the most expensive
                    functions; profiling distorts the measurements
  --bundle FOLDER   only write the bundle to FOLDER, and print its command line`;

const OPTIONS = {
  "own": { type: "string", multiple: true, default: [] as string[] },
  "stretch": { type: "string", multiple: true, default: ["200", "800"] as string[] },
  "beside": { type: "string", multiple: true, default: [] as string[] },
  "running": { type: "string", multiple: true, default: [] as string[] },
  "curve": { type: "string", multiple: true, default: [] as string[] },
  "size": { type: "string", multiple: true, default: ["100", "1000", "10000"] as string[] },
  "runs": { type: "string", default: "3" },
  "pod-millis": { type: "string", default: "100" },
  "profile": { type: "string" },
  "bundle": { type: "string" },
  "help": { type: "boolean", default: false },
} as const;

const FOLDER = new URL("../../../build/bench-alone", import.meta.url).pathname;

async function commandOf(folder: string): Promise<string> {
  const { entry, parts, flags } = CONTROLLER_PROGRAM;
  return programCommand(CONTROLLER_PROGRAM, await bundleProgram(folder, entry, parts, flags)).join(" ");
}

const PROFILER = new URL("./profiler.ts", import.meta.url).pathname;

/** A command line of Deno that loads the profiler first. */
function profileCommand(command: string): string {
  return command.replace(" run ", ` run --preload=${PROFILER} `);
}

async function main(args: string[]): Promise<void> {
  const { values: flags } = parseArgs({ args, options: OPTIONS });
  if (flags.help) return console.log(USAGE);
  if (flags.bundle !== undefined) return console.log(await commandOf(flags.bundle));
  const given = flags.own.length > 0 ? flags.own : [await commandOf(FOLDER)];
  const commands = flags.profile === undefined ? given : given.slice(0, 1).map(profileCommand);
  const sizes = flags.stretch.map(Number);
  const options = { podMillis: Number(flags["pod-millis"]), profile: flags.profile };
  if (flags.beside.length + flags.running.length > 0) {
    await printWithOthers(commands, "ended", flags.beside.map(Number), options);
    return await printWithOthers(commands, "running", flags.running.map(Number), options);
  }
  if (flags.curve.length > 0) {
    await printCurves(commands, flags.curve, flags.size.map(Number), options);
    return await printProfile(flags.profile);
  }
  const measured: Batch[][][] = commands.map(() => []);
  for (let run = 1; run <= Number(flags.runs); run++) {
    for (const [index, command] of commands.entries()) {
      const batches = await measureAlone(command, sizes, options);
      measured[index]!.push(batches);
      console.error(`run ${run}, ${index + 1}: ${batches.map(describe).join(" | ")}`);
    }
  }
  if (flags.profile !== undefined) return await printProfile(flags.profile);
  for (const [index, runs] of measured.entries()) {
    console.log(`${index + 1}: ${commands[index]}`);
    for (const [index, size] of sizes.entries()) {
      const batches = runs.map((batches) => batches[index]!);
      const median = (of: (batch: Batch) => number) => medianOf(batches.map(of)).toFixed(2);
      console.log(
        `   ${size} workflows: ${median((s) => s.millisEach)} ms each, ${median((s) => s.mainMillisEach)} of them ` +
          `in the main thread; ${median((s) => s.writesEach)} writes each; peak ${median((s) => s.peakMemory)} MiB`,
      );
    }
  }
}

async function printProfile(file: string | undefined): Promise<void> {
  if (file !== undefined) console.log(summaryOf(await Deno.readTextFile(file)));
}

async function printWithOthers(
  commands: readonly string[],
  others: Others,
  counts: readonly number[],
  options: AloneOptions,
): Promise<void> {
  for (const count of counts) {
    for (const [index, command] of commands.entries()) {
      const { memory, peakMemory, cpuSeconds, firstSeconds } = await measureWithOthers(command, others, count, options);
      const sizes = `${memory.toFixed(0)} MiB at rest, peak ${peakMemory.toFixed(0)} MiB`;
      const times = `${cpuSeconds.toFixed(2)} s of CPU, its own workflow over after ${firstSeconds.toFixed(1)} s`;
      console.log(`with ${count} ${others} workflows, ${index + 1}: ${sizes}, ${times}`);
    }
  }
}

/** The kind of load of each curve. */
const CURVES: Readonly<Record<string, LoadKind>> = {
  workflows: "drain",
  pods: "fan-out",
  dag: "dag",
  semaphore: "semaphore",
  lock: "lock",
};

async function printCurves(
  commands: readonly string[],
  curves: readonly string[],
  sizes: readonly number[],
  options: AloneOptions,
): Promise<void> {
  for (const curve of curves) {
    const kind = CURVES[curve];
    if (!kind) throw new Error(`Expected a curve of ${Object.keys(CURVES).join(", ")}, got "${curve}"`);
    for (const [index, command] of commands.entries()) {
      const points: { readonly size: number; readonly cpu: number; readonly bytes: number }[] = [];
      for (const size of sizes) {
        const cost = await measureLoad(command, parseLoad(`${kind}:${size}`), options);
        const { seconds, cpuSeconds, bytesSent, peakMemory } = cost;
        points.push({ size, cpu: cpuSeconds, bytes: bytesSent });
        const sent = `${(bytesSent / 1e6).toFixed(2)} MB sent, peak ${peakMemory.toFixed(0)} MiB`;
        const pace = `${(size / seconds).toFixed(1)} pods/s`;
        console.log(`${curve} ${size}, ${index + 1}: ${cpuSeconds.toFixed(2)} s of CPU, ${pace}, ${sent}`);
      }
      const power = (of: (point: typeof points[number]) => number) =>
        growthExponent(points.map((point) => [point.size, of(point)]))?.toFixed(2) ?? "of one size";
      console.log(
        `${curve}, ${index + 1}: CPU grows with the power ${power((p) => p.cpu)}, bytes ${power((p) => p.bytes)}`,
      );
    }
  }
}

function describe({ size, millisEach, mainMillisEach, peakMemory }: Batch): string {
  return `${size}: ${millisEach.toFixed(2)} ms, main ${mainMillisEach.toFixed(2)}, peak ${peakMemory.toFixed(0)} MiB`;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

await main(Deno.args);
