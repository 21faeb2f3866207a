/**
 * `deno task bench alone`: what a workflow of one pod costs the controller, in CPU time of its process, without a control
 * plane. In the process of this program are the embedded API, served over TLS, and a kubelet that only writes; the
 * controller is a process of its own, as it is delivered. Several command lines take turns.
 *
 * Takes no rights. Docs: docs/performance.md.
 */
import { parseArgs } from "node:util";
import { bundleProgram } from "../../../scripts/build_executor.ts";
import { CONTROLLER_PROGRAM, programCommand } from "../../../scripts/image_programs.ts";
import { type LoadKind, parseLoad } from "../loads.ts";
import { type AloneOptions, measureAlone, measureBeside, measureLoad, type Others, type Stretch } from "./measure.ts";
import { summaryOf } from "./profile_summary.ts";
import { growthExponent } from "../statistics.ts";

const USAGE = `Usage: deno task bench alone [OPTIONS]
  --own COMMAND     how a controller is started, instead of its bundle; may be repeated: they take turns
  --stretch N       so many workflows are made, and run to their end, before the next stretch begins; may be
                    repeated: 200 and 800 when absent
  --beside N        measures, in place of stretches, the memory of a controller beside so many ended workflows of one
                    pod; may be repeated
  --running N       the same beside so many workflows whose pod runs
  --curve KIND      measures, in place of stretches, how the cost of a load grows with its size: workflows, pods (of one
                    workflow), dag, semaphore or lock (calls of one workflow); may be repeated
  --size N          a size of the curves; may be repeated: 100, 1000 and 10000 when absent
  --runs N          how often each is measured, 3
  --pod-millis N    how long a pod runs, 100
  --profile FILE    V8's profile of the first command's last run is written there, and what took most is printed;
                    the figures of such runs are no measurement
  --bundle FOLDER   only writes the bundle there, and prints the command line of it`;

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
function profiled(command: string): string {
  return command.replace(" run ", ` run --preload=${PROFILER} `);
}

async function main(args: string[]): Promise<void> {
  const { values: flags } = parseArgs({ args, options: OPTIONS });
  if (flags.help) return console.log(USAGE);
  if (flags.bundle !== undefined) return console.log(await commandOf(flags.bundle));
  const given = flags.own.length > 0 ? flags.own : [await commandOf(FOLDER)];
  const commands = flags.profile === undefined ? given : given.slice(0, 1).map(profiled);
  const sizes = flags.stretch.map(Number);
  const options = { podMillis: Number(flags["pod-millis"]), profile: flags.profile };
  if (flags.beside.length + flags.running.length > 0) {
    await tellBeside(commands, "ended", flags.beside.map(Number), options);
    return await tellBeside(commands, "running", flags.running.map(Number), options);
  }
  if (flags.curve.length > 0) {
    await tellCurves(commands, flags.curve, flags.size.map(Number), options);
    return await tellProfile(flags.profile);
  }
  const measured: Stretch[][][] = commands.map(() => []);
  for (let run = 1; run <= Number(flags.runs); run++) {
    for (const [index, command] of commands.entries()) {
      const stretches = await measureAlone(command, sizes, options);
      measured[index]!.push(stretches);
      console.error(`run ${run}, ${index + 1}: ${stretches.map(describe).join(" | ")}`);
    }
  }
  if (flags.profile !== undefined) return await tellProfile(flags.profile);
  for (const [index, runs] of measured.entries()) {
    console.log(`${index + 1}: ${commands[index]}`);
    for (const [at, size] of sizes.entries()) {
      const stretches = runs.map((stretches) => stretches[at]!);
      const median = (of: (stretch: Stretch) => number) => medianOf(stretches.map(of)).toFixed(2);
      console.log(
        `   ${size} workflows: ${median((s) => s.millisEach)} ms each, ${median((s) => s.mainMillisEach)} of them ` +
          `in the main thread; ${median((s) => s.writesEach)} writes each; peak ${median((s) => s.peakMemory)} MiB`,
      );
    }
  }
}

async function tellProfile(file: string | undefined): Promise<void> {
  if (file !== undefined) console.log(summaryOf(await Deno.readTextFile(file)));
}

async function tellBeside(
  commands: readonly string[],
  others: Others,
  counts: readonly number[],
  options: AloneOptions,
): Promise<void> {
  for (const count of counts) {
    for (const [index, command] of commands.entries()) {
      const { memory, peakMemory, cpuSeconds, firstSeconds } = await measureBeside(command, others, count, options);
      const sizes = `${memory.toFixed(0)} MiB at rest, peak ${peakMemory.toFixed(0)} MiB`;
      const times = `${cpuSeconds.toFixed(2)} s of CPU, its own workflow over after ${firstSeconds.toFixed(1)} s`;
      console.log(`beside ${count} ${others} workflows, ${index + 1}: ${sizes}, ${times}`);
    }
  }
}

/** The load that a curve is about. */
const CURVES: Readonly<Record<string, LoadKind>> = {
  workflows: "drain",
  pods: "fan-out",
  dag: "dag",
  semaphore: "semaphore",
  lock: "lock",
};

async function tellCurves(
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

function describe({ size, millisEach, mainMillisEach, peakMemory }: Stretch): string {
  return `${size}: ${millisEach.toFixed(2)} ms, main ${mainMillisEach.toFixed(2)}, peak ${peakMemory.toFixed(0)} MiB`;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

await main(Deno.args);
