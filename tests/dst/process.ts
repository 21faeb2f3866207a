/** A controller's process in a simulation: it starts, may be paused or die, and is restarted. */
import { type Controller, InProcessLane, type Log, startController } from "../../controller/mod.ts";
import { readSettings, runProgram } from "../../controller/program.ts";
import { clientWithout, type Fence } from "./fences.ts";
import type { VirtualHost } from "./host.ts";
import type { Network, NetworkPeer } from "./network.ts";

/** The name of the controllers' ConfigMap. */
export const CONFIGMAP = "workflow-controller-configmap";

/** The host, network, name and settings of a process. */
export interface ProcessOptions {
  readonly host: VirtualHost;
  readonly network: Network;
  /** `A2`: the second life of process A. */
  readonly name: string;
  readonly clockOffset: number;
  readonly log: Log;
  readonly without?: ReadonlySet<Fence> | undefined;
  /** Whether the next pass runs in the slow lane. */
  readonly isSlow: (key: string) => boolean;
  /** Called when the process ended by itself, with the error that ended it. */
  readonly onExit: (error: unknown) => void;
}

/** One life of a process. */
export class Process implements NetworkPeer {
  readonly name: string;
  clockOffset: number;
  isDead = false;
  pausedUntil = 0;
  forbiddenUntil = 0;
  controller: Controller | undefined;
  readonly #options: ProcessOptions;
  readonly #places = { request: 0, watch: 0 };
  readonly #stop = new AbortController();

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.name = options.name;
    this.clockOffset = options.clockOffset;
  }

  nextPlace(kind: "request" | "watch"): string {
    return `${this.name} ${kind} ${++this.#places[kind]}`;
  }

  /** The number of requests that the process made. */
  get requests(): number {
    return this.#places.request;
  }

  /** Runs the controller's program. */
  start(): void {
    const { host, onExit } = this.#options;
    host.after(0, this, () => {
      this.#main().then(() => onExit(undefined), (error) => {
        if (!this.isDead) onExit(error);
      });
    });
  }

  /** Stops the process gracefully, as SIGTERM does. */
  stop(): void {
    this.#options.host.after(0, this, () => this.#stop.abort(new DOMException("Stopped", "AbortError")));
  }

  /** Ends the process immediately. */
  kill(): void {
    this.isDead = true;
    this.#options.network.forget(this);
  }

  async #main(): Promise<void> {
    const { network, log, isSlow, without = new Set() } = this.#options;
    const program = {
      client: clientWithout(without, network.transportOf(this)),
      namespace: "argo",
      configmap: CONFIGMAP,
      base: { executorImage: "argoexec:simulated" },
      log,
    };
    const config = await readSettings(program, this.#stop.signal);
    const start: typeof startController = async (options, signal) => {
      const epoch = without.has("epoch") ? undefined : options.epoch;
      return this.controller = await startController({ ...options, epoch, lane: new InProcessLane(), isSlow }, signal);
    };
    await runProgram(
      { ...program, config, identity: () => this.name, start },
      this.#stop.signal,
    );
  }
}
