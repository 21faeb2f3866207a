/** Telemetry of the embedded cluster's controller: metrics and traces to a collector of OpenTelemetry, where one is named. */
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

/** The time that the last pods may take: more than the five seconds after which `podGC` deletes. */
const LAST_PODS_WITHIN_MS = 8000;

/** The addresses of collectors in the environment, and what is sent to them. */
export class LocalTelemetry {
  readonly #targets: ReturnType<typeof telemetryTargets>;
  #telemetry: Telemetry | undefined;
  #controller: Controller | undefined;

  /** @throws {CommandError} with exit code 2 that names the variable that cannot be used. */
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

  /** Starts a controller of which is sent what the environment asks for; without an address it has nothing to tell. */
  async startController(options: ControllerOptions, write: (line: string) => void, metricsConfig: MetricsConfig) {
    const { metrics, traces } = this.#targets;
    if (!metrics && !traces) return await startController(options);
    // Trouble with a collector is told, also where the controller's other warnings are not.
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
      onEnded: (workflow) => telemetry.workflowEnded(workflow),
      ...(traces && { onWork: (work) => telemetry.workDone(work) }),
    });
    this.#controller = controller;
    telemetry.controllerStarted({ began, synced: began, ended: Date.now() });
    return controller;
  }

  /** Waits a while for the pods that end after their workflow, before the controller closes; without traces for nothing. */
  async lastPodsTold(): Promise<void> {
    if (this.traces) await this.#controller?.lastPodsLetGo(AbortSignal.timeout(LAST_PODS_WITHIN_MS));
  }

  /** Sends what is left. */
  async close(): Promise<void> {
    await this.#telemetry?.close();
  }
}
