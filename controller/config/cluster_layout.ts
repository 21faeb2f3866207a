/** The layout of new pods: as the settings say, else as the cluster answers, the API server at once, the machines soon after. */
import { type KubeClient, sortError } from "@tiphys/kube";
import type { EngineConfig } from "@tiphys/engine";
import type { Log } from "@tiphys/base/log";
import type { ControllerConfig } from "./config.ts";
import { type LayoutAnswer, probeLayout } from "./layout.ts";
import type { Probe } from "./probe_machine.ts";
import { probeRuntimes } from "./probe_runtimes.ts";

/** The client and the namespace with which the cluster is asked about image volumes, and how long its machines have. */
export interface ClusterLayoutOptions {
  readonly client: KubeClient;
  /** The namespace in which probe pods are made. */
  readonly namespace: string;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** The time to wait for the answer of a machine, in milliseconds. */
  readonly patienceMillis?: number;
}

/** The layout of a controller's new pods. A pod that was made keeps its layout whatever is found out later. */
export class ClusterLayout {
  readonly #options: ClusterLayoutOptions;
  readonly #known = new Map<string, Probe>();
  #applied: { readonly engine: EngineConfig; readonly answer: LayoutAnswer; readonly result: EngineConfig } | undefined;
  #answer: LayoutAnswer = { layout: "initless", reason: "nothing was asked yet" };
  #byCluster = false;
  /** Counts the settings: what was asked for earlier ones is no answer for these. */
  #settings = 0;
  #asking: Promise<void> = Promise.resolve();

  constructor(options: ClusterLayoutOptions) {
    this.#options = options;
  }

  /** The layout that holds now, with the reason for it. */
  get answer(): LayoutAnswer {
    return this.#answer;
  }

  /** Finds out what holds with these settings; the machines are asked in the background, and what they say is taken when it comes. */
  async settle({ layout, engine }: ControllerConfig): Promise<void> {
    const { client, namespace } = this.#options;
    this.#byCluster = layout === "auto";
    const settings = ++this.#settings;
    if (layout !== "auto") return this.#take({ layout, reason: "the settings say so (initlessPod)" });
    const { image, imagePullPolicy } = engine.executor;
    const answer = await probeLayout(client, namespace, image);
    if (settings !== this.#settings) return;
    this.#take(answer);
    if (answer.layout === "initless") this.#asking = this.#askMachines(settings, image, imagePullPolicy);
  }

  /** Resolves when the machines have answered. */
  async asked(): Promise<void> {
    await this.#asking;
  }

  /**
   * The settings with the layout that holds. What the cluster cannot do is done for no workflow, whatever that wishes, and
   * every pod says why. The same object comes back as long as nothing changed: passes tell by it whether to look again.
   */
  applyTo(engine: EngineConfig): EngineConfig {
    const answer = this.#answer;
    if (this.#applied?.engine !== engine || this.#applied.answer !== answer) {
      this.#applied = { engine, answer, result: this.#withAnswer(engine, answer) };
    }
    return this.#applied.result;
  }

  #withAnswer(engine: EngineConfig, { layout, reason }: LayoutAnswer): EngineConfig {
    if (layout === "legacy" && this.#byCluster) return { ...engine, legacyBecause: reason };
    return { ...engine, executor: { ...engine.executor, layout } };
  }

  async #askMachines(settings: number, image: string, imagePullPolicy: string | undefined): Promise<void> {
    try {
      const answer = await probeRuntimes({ ...this.#options, image, imagePullPolicy, known: this.#known });
      if (settings === this.#settings && !this.#options.signal.aborted) this.#take(answer);
    } catch (error) {
      this.#options.log.warn("The machines could not be asked about image volumes", {
        error: String(error),
        sort: sortError(error),
      });
    }
  }

  #take(answer: LayoutAnswer): void {
    this.#answer = answer;
    this.#options.log.info("Pod layout", { ...answer });
  }
}
