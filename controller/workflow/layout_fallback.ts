/**
 * The layout of pods after the API server was seen to drop image volumes: the legacy one, until the controller ends.
 */
import type { Log } from "@tiphys/base/log";
import type { EngineConfig } from "@tiphys/engine";

/** The engine's settings, with what was detected about the cluster. */
export class LayoutFallback {
  readonly #settings: () => EngineConfig;
  readonly #log: Log;
  #reason: string | undefined;
  #legacy: { readonly of: EngineConfig; readonly config: EngineConfig } | undefined;

  constructor(settings: () => EngineConfig, log: Log) {
    this.#settings = settings;
    this.#log = log;
  }

  /** The settings; the same object as long as they are unchanged. */
  config(): EngineConfig {
    const given = this.#settings();
    if (this.#reason === undefined) return given;
    if (this.#legacy?.of !== given) {
      this.#legacy = { of: given, config: { ...given, legacyLayoutReason: this.#reason } };
    }
    return this.#legacy.config;
  }

  /** Called when the API server does not keep image volumes: pods are created without them from now on. */
  imageVolumesFailed(reason: string): void {
    if (this.#reason === undefined) this.#log.warn("Pods are built in the legacy layout from now on", { reason });
    this.#reason = reason;
  }
}
