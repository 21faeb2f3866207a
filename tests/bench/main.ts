/**
 * `deno task bench`: measures the controller, and another one if its command is given.
 *
 * - `loads.ts`: the workflows to run; `measure.ts`: one measurement, from an empty control plane to numbers;
 * `measure_lifecycle.ts`: measurements of finished workflows and of cron workflows
 * - `ceiling.ts`: the cost of the same objects without a controller
 * - `control_plane.ts`, `fake_kubelet.ts`, `processes.ts`: the environment of a measurement, without a node
 * - `api_usage.ts`, `process_usage.ts`, `event_loop_probe.ts`: read the metrics of the API server, a process, and its
 * event loop
 * - `statistics.ts`, `report.ts`: format the measurements as a table
 * - `lanes.ts`: bounded concurrency
 * - `alone/`: one controller without a control plane (`deno task bench alone`)
 * - `requests/`: single requests in different forms (`deno task bench requests`)
 * - `micro/`: single functions (`deno task bench micro`)
 *
 * Docs: docs/performance.md. Requires root and the programs of `deno task cluster build`.
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
  --quick            measure small loads once, in under three minutes
  --share N/OF       measure a share of the loads
  --runs N           number of measurements of each load (default: 5)
  --peer COMMAND     command line of another Argo-compatible controller, measured in turns with ours
  --no-ceiling       do not measure the cost of the same objects without a controller
  --own COMMAND      command line of our controller, instead of its bundle
  --pod-millis N     duration of a pod in milliseconds (default: 100)
  --limit SECONDS    timeout of a load (default: 900)
  --json FILE        write all measurements to FILE`;

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

/** The controller as it is shipped: one bundle, with the flags of its image. */
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
  const attempt = async (subject: string, take: () => Promise<Measurement>) => {
    try {
      const measurement = await take();
      measurements.push(measurement);
      console.error(`${subject}: ${measurement.seconds.toFixed(2)} s`);
    } catch (error) {
      failures.push(`${subject}: ${error instanceof Error ? error.message : String(error)}`);
      console.error(failures.at(-1));
    }
    // Written after each load: a full run takes an hour, and completed measurements must not be lost.
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

// Stops the control plane of the current measurement on a signal.
for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
  Deno.addSignalListener(signal, () => void endAll().finally(() => Deno.exit(code)));
}
await main(Deno.args);
Deno.exit(0);
