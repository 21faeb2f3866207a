/**
 * The controller: a reconcile loop (`loop/`) that is independent of the kind of objects, and a folder for each kind,
 * with pure decisions and the reading and writing around them: `workflow/`, `cron/`. `config/` parses the settings,
 * `start.ts` combines everything; `main.ts` runs it on a cluster, and the CLI in the embedded cluster. It imports only
 * `lib`.
 */
export { type ControllerConfig, defaultConfig, parseControllerConfig } from "./config/config.ts";
export { readEnvironment } from "./config/environment.ts";
export { type Controller, type ControllerOptions, startController } from "./start.ts";
export { countingLog } from "./metrics/own_metrics.ts";
export { metricsAsSet } from "./metrics/metrics_server.ts";
export { Telemetry } from "./telemetry/exporter.ts";
export { telemetryTargets } from "./telemetry/targets.ts";
export { LaneThread } from "./workflow/lane/lane_thread.ts";
export { InProcessLane } from "./workflow/lane/in_process_lane.ts";
export { lineLog, type Log, silentLog } from "@tiphys/base/log";
