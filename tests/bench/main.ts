/**
 * `deno task bench`: how fast is the controller, beside another one where it is given.
 *
 * - `loads.ts`: what is asked of a controller; `measure.ts`: one measurement, from an empty control plane to numbers;
 *   `measure_lifecycle.ts`: those of finished workflows and of cron workflows;
 * - `ceiling.ts`: what the same objects cost when nobody's controller writes them;
 * - `control_plane.ts`, `fake_kubelet.ts`, `processes.ts`: what a measurement stands on, without a node;
 * - `api_usage.ts`, `process_usage.ts`, `event_loop_probe.ts`: what is read of the API server, of a process, of its event loop;
 * - `statistics.ts`, `report.ts`: from many measurements to a table;
 * - `lanes.ts`: many things done a few at a time;
 * - `alone/`: one controller without a control plane (`deno task bench alone`);
 * - `requests/`: one request in each of its forms (`deno task bench requests`);
 * - `micro/`: small pieces alone (`deno task bench micro`).
 *
 * Docs: docs/performance.md. Takes root and the programs of `deno task cluster build`.
 */
import { parseArgs } from "node:util";
import { bundleProgram } from "../../scripts/build_executor.ts";
import { CONTROLLER_PROGRAM, programCommand } from "../../scripts/image_programs.ts";
import { isInShare, parseShare } from "../../scripts/share.ts";
import { stopControlPlane } from "./control_plane.ts";
import { CEILING } from "./ceiling.ts";
import { ALL_LOADS, KINDS_WITH_CEILING, type Load, loadName, parseLoad, QUICK_LOADS } from "./loads.ts";
import { type Candidate, measure, measureCeiling, type Measurement } from "./measure.ts";
import { measureCrons, measureFinished, measureKept } from "./measure_lifecycle.ts";
import { endProcesses, PROBE_FLAG } from "./processes.ts";
import { costsOf, figuresOf, tableOf } from "./report.ts";

const USAGE = `Usage: deno task bench [OPTIONS]
  --load KIND:SIZE   measure this load only; may be repeated (kinds: chain, drain, fan-out, dag, finished,
                     kept, crons, semaphore, lock)
  --quick            small loads once, in under three minutes
  --share N/OF       a share of the loads
  --runs N           how often each load is measured, 5
  --peer COMMAND     another Argo-compatible controller, measured in turns with ours
  --no-ceiling       leaves out what the same objects cost without a controller
  --own COMMAND      how our controller is started, instead of its bundle
  --pod-millis N     how long a pod runs, 100
  --limit SECONDS    when a load counts as failed, 900
  --json FILE        where all measurements are written`;

const OPTIONS = {
  "load": { type: "string", multiple: true, default: [] as string[] },
  "quick": { type: "boolean", default: false },
  "share": { type: "string" },
  "runs": { type: "string" },
  "peer": { type: "string" },
  "own": { type: "string" },
  "no-ceiling": { type: "boolean", default: false },
  "pod-millis": { type: "string", default: "100" },
  "limit": { type: "string", default: "900" },
  "json": { type: "string" },
  "help": { type: "boolean", default: false },
} as const;

const FOLDER = new URL("../../build/bench/", import.meta.url).pathname;

/** The controller as it is delivered: one bundle, with the flags of its image. */
async function ownCommand(): Promise<string> {
  const { entry, parts, flags } = CONTROLLER_PROGRAM;
  const script = await bundleProgram(`${FOLDER}workflow-controller`, entry, parts, flags);
  return programCommand(CONTROLLER_PROGRAM, script, [PROBE_FLAG]).join(" ");
}

async function main(args: string[]): Promise<void> {
  const { values: flags } = parseArgs({ args, options: OPTIONS });
  if (flags.help) return console.log(USAGE);
  await Deno.mkdir(FOLDER, { recursive: true });
  const candidates: Candidate[] = [
    { name: "tiphys", command: flags.own ?? await ownCommand() },
    ...(flags.peer ? [{ name: "peer", command: flags.peer }] : []),
  ];
  const all = flags.load.length ? flags.load.map(parseLoad) : flags.quick ? QUICK_LOADS : ALL_LOADS;
  const share = parseShare(flags.share);
  const loads = all.filter((load) => isInShare(loadName(load), share));
  const runs = Number(flags.runs ?? (flags.quick ? 1 : 5));
  const measurements: Measurement[] = [];
  const failures: string[] = [];
  const attempt = async (what: string, take: () => Promise<Measurement>) => {
    try {
      const measurement = await take();
      measurements.push(measurement);
      console.error(`${what}: ${measurement.seconds.toFixed(2)} s`);
    } catch (error) {
      failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      console.error(failures.at(-1));
    }
    // Kept as it grows: a full run takes an hour, and what was measured stays measured.
    if (flags.json) {
      const text = JSON.stringify({ machine: machine(), candidates, measurements, failures }, null, 2);
      await Deno.writeTextFile(flags.json, text);
    }
  };
  for (let run = 1; run <= runs; run++) {
    for (const load of loads) {
      const options = {
        podMillis: Number(flags["pod-millis"]),
        limitSeconds: Number(flags.limit),
        logFile: "",
      };
      if (KINDS_WITH_CEILING.has(load.kind) && !flags["no-ceiling"]) {
        await attempt(`run ${run}, ${loadName(load)}, ${CEILING}`, () => measureCeiling(load, options));
      }
      for (const candidate of candidates) {
        const logFile = `${FOLDER}${candidate.name}-${loadName(load).replace(":", "-")}-${run}.log`;
        await attempt(
          `run ${run}, ${loadName(load)}, ${candidate.name}`,
          () => measureOf(load)(load, candidate, { ...options, logFile }),
        );
      }
    }
  }
  const figures = figuresOf(measurements);
  console.log(tableOf(figures));
  const costs = costsOf(figures);
  if (costs.length) console.log(`\nThe cost above the ceiling:\n\n${tableOf(costs)}`);
  for (const failure of failures) console.log(`FAIL ${failure}`);
  console.log(`${measurements.length} passed, ${failures.length} failed, ${all.length - loads.length} skipped`);
  if (failures.length) Deno.exit(1);
}

function measureOf({ kind }: Load): typeof measure {
  if (kind === "finished") return measureFinished;
  if (kind === "kept") return measureKept;
  return kind === "crons" ? measureCrons : measure;
}

function machine(): Record<string, unknown> {
  const model = /model name\s*: (.*)/.exec(Deno.readTextFileSync("/proc/cpuinfo"))?.[1];
  return {
    cores: navigator.hardwareConcurrency,
    model,
    memoryBytes: Deno.systemMemoryInfo().total,
    deno: Deno.version.deno,
  };
}

async function endAll(): Promise<void> {
  await endProcesses();
  await stopControlPlane();
}

// Whatever ends it, the control plane of the measurement goes with it.
for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
  Deno.addSignalListener(signal, () => void endAll().finally(() => Deno.exit(code)));
}
await main(Deno.args);
Deno.exit(0);
