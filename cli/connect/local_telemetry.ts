/**
 * Telemetry of the embedded cluster's controller: sends metrics and traces to an OpenTelemetry collector, if one is
 * configured.
 */
import {
  type Controller,
  type ControllerConfig,
  type ControllerOptions,
  countingLog,
  lineLog,
  metricsAsSet,
  startController,
  Telemetry,
  telemetryTargets,
} from "../../controller/mod.ts";
import { VERSION } from "@tiphys/base/version";
import { badInput } from "../command_error.ts";

/** Settings of the controller's metrics. */
type MetricsConfig = ControllerConfig["settings"]["metricsConfig"];

/** Maximum time to wait for the last pods: longer than the five seconds after which `podGC` deletes them. */
const LAST_PODS_WITHIN_MS = 8000;

/** Sends telemetry to the collectors that the environment names. */
export class LocalTelemetry {
  readonly #targets: ReturnType<typeof telemetryTargets>;
  #telemetry: Telemetry | undefined;
  #controller: Controller | undefined;

  /** @throws {CommandError} with exit code 2, naming the invalid variable. */
  constructor(env: (name: string) => string | undefined) {
    try {
      this.#targets = telemetryTargets(env);
    } catch (error) {
      throw badInput(error instanceof Error ? error.message : String(error));
    }
  }

  /** Whether traces are sent. */
  get traces(): boolean {
    return this.#targets.traces !== undefined;
  }

  /** Starts a controller that sends the telemetry that the environment requests. */
  async startController(options: ControllerOptions, write: (line: string) => void, metricsConfig: MetricsConfig) {
    const { metrics, traces } = this.#targets;
    if (!metrics && !traces) return await startController(options);
    // Warnings about a collector are logged even if other warnings of the controller are not.
    const log = lineLog({ level: "warn", format: "text", write });
    const registry = metricsAsSet(metricsConfig, log);
    const temporality = metricsConfig?.temporality;
    const telemetry = new Telemetry({ targets: this.#targets, registry, temporality, log, version: VERSION });
    this.#telemetry = telemetry;
    const began = Date.now();
    const controller = await startController({
      ...options,
      log: countingLog(options.log, registry),
      ...(metrics && { metrics: registry }),
      onWorkflowEnded: (workflow) => telemetry.workflowEnded(workflow),
      ...(traces && { onWork: (work) => telemetry.queueWorkSpan(work) }),
    });
    this.#controller = controller;
    telemetry.controllerStarted({ began, synced: began, ended: Date.now() });
    return controller;
  }

  /** Before the controller closes, waits for pods that end after their workflow, so that their traces are sent. */
  async waitForLastPods(): Promise<void> {
    if (this.traces) await this.#controller?.awaitLastPods(AbortSignal.timeout(LAST_PODS_WITHIN_MS));
  }

  /** Sends the remaining telemetry. */
  async close(): Promise<void> {
    await this.#telemetry?.close();
  }
}
