/**
 * The controller: one loop (`loop/`) that knows no kind of objects, and a folder for each kind, with a pure heart and the
 * verbs around it: `workflow/`, `cron/`. `config/` reads the settings, `start.ts` puts all of it together; `main.ts` does so for a
 * cluster, the CLI for the embedded one. Imports `lib` only.
 */
export { type ControllerConfig, defaultConfig, parseControllerConfig } from "./config/config.ts";
export { readEnvironment } from "./config/environment.ts";
export { type Controller, type ControllerOptions, startController } from "./start.ts";
export { countingLog } from "./metrics/own_metrics.ts";
export { metricsAsSet } from "./metrics/metrics_server.ts";
export { Telemetry } from "./telemetry/exporter.ts";
export { telemetryTargets } from "./telemetry/targets.ts";
export { LaneThread } from "./workflow/lane/lane_thread.ts";
export { LaneHere } from "./workflow/lane/lane_here.ts";
export { lineLog, type Log, silentLog } from "@tiphys/base/log";
