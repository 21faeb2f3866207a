/**
 * The pod layout of a controller: set explicitly, or detected by probing the API server and then, in the background,
 * the container runtimes.
 */
import { classifyError, type KubeClient } from "@tiphys/kube";
import type { EngineConfig } from "@tiphys/engine";
import type { Log } from "@tiphys/base/log";
import type { ControllerConfig } from "./config.ts";
import { type LayoutResult, probeLayout } from "./layout.ts";
import type { Probe } from "./probe_machine.ts";
import { probeRuntimes } from "./probe_runtimes.ts";

/** Options for detecting whether a cluster supports image volumes. */
export interface ClusterLayoutOptions {
  readonly client: KubeClient;
  /** The namespace in which probe pods are created. */
  readonly namespace: string;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** The maximum duration of a probe of a machine, in milliseconds. */
  readonly patienceMillis?: number;
}

/**
 * The layout of the pods that a controller creates. Existing pods keep their layout when the result of the detection
 * changes.
 */
export class ClusterLayout {
  readonly #options: ClusterLayoutOptions;
  readonly #probes = new Map<string, Probe>();
  #applied: { readonly engine: EngineConfig; readonly answer: LayoutResult; readonly result: EngineConfig } | undefined;
  #answer: LayoutResult = { layout: "initless", reason: "not detected yet" };
  #isDetected = false;
  /** Counts changes of the settings, so that the result of a probe for earlier settings is discarded. */
  #settings = 0;
  #probing: Promise<void> = Promise.resolve();

  constructor(options: ClusterLayoutOptions) {
    this.#options = options;
  }

  /** The current layout, and the reason for it. */
  get current(): LayoutResult {
    return this.#answer;
  }

  /**
   * Determines the layout for these settings. Probes of machines run in the background, and their results apply when
   * they arrive.
   */
  async determine({ layout, engine }: ControllerConfig): Promise<void> {
    const { client, namespace } = this.#options;
    this.#isDetected = layout === "auto";
    const settings = ++this.#settings;
    if (layout !== "auto") return this.#setAnswer({ layout, reason: "set by initlessPod" });
    const { image, imagePullPolicy } = engine.executor;
    const answer = await probeLayout(client, namespace, image);
    if (settings !== this.#settings) return;
    this.#setAnswer(answer);
    if (answer.layout === "initless") this.#probing = this.#probeMachines(settings, image, imagePullPolicy);
  }

  /** Resolves when the probes of machines have finished. */
  async probesFinished(): Promise<void> {
    await this.#probing;
  }

  /**
   * The settings with the current layout. No workflow can request a feature that the cluster lacks; each pod records
   * the reason instead. Returns the same object as long as nothing changed: passes compare its identity to find out
   * whether nodes must be evaluated again.
   */
  applyTo(engine: EngineConfig): EngineConfig {
    const answer = this.#answer;
    if (this.#applied?.engine !== engine || this.#applied.answer !== answer) {
      this.#applied = { engine, answer, result: this.#withAnswer(engine, answer) };
    }
    return this.#applied.result;
  }

  #withAnswer(engine: EngineConfig, { layout, reason }: LayoutResult): EngineConfig {
    if (layout === "legacy" && this.#isDetected) return { ...engine, legacyLayoutReason: reason };
    return { ...engine, executor: { ...engine.executor, layout } };
  }

  async #probeMachines(settings: number, image: string, imagePullPolicy: string | undefined): Promise<void> {
    try {
      const answer = await probeRuntimes({ ...this.#options, image, imagePullPolicy, probes: this.#probes });
      if (settings === this.#settings && !this.#options.signal.aborted) this.#setAnswer(answer);
    } catch (error) {
      this.#options.log.warn("Probing the machines for image volumes failed", {
        error: String(error),
        sort: classifyError(error),
      });
    }
  }

  #setAnswer(answer: LayoutResult): void {
    this.#answer = answer;
    this.#options.log.info("Pod layout", { ...answer });
  }
}
