/** Executor plugins: servers in sidecars of the agent, which are called in order until one executes the task. */
import { isFinalResult } from "@tiphys/model/status";
import { formatFieldError, NodeResult, object, parseWith, type Template } from "@tiphys/model/api";
import { parseJson } from "@tiphys/base/bounded_json";
import { type Clock, pause } from "@tiphys/base/clock";
import { parseDuration } from "@tiphys/base/go";
import { LIMITS } from "@tiphys/base/limits";
import { type Net, NetError } from "@tiphys/base/net";
import { z } from "zod";

/** A plugin of the agent: the address of its server, and its bearer token. */
export interface Plugin {
  readonly name: string;
  readonly address: string;
  readonly token: string;
}

/** The network for calls of plugins, and the workflow that each call names. */
export interface PluginEnvironment {
  readonly net: Net;
  readonly clock: Clock;
  readonly workflow: { readonly name: string; readonly namespace: string; readonly uid: string };
}

const Reply = object({ node: NodeResult.nullish(), requeue: z.string().nullish() });

/** The response of a plugin. `againMillis` is the delay before the next call; undefined when the task is completed. */
export interface PluginResult {
  readonly result: NodeResult;
  readonly againMillis?: number | undefined;
}

/** The maximum size of a response: the outputs, and as much around them. */
const MAX_CHARACTERS = 2 * LIMITS.responseBytes;
const RESPONSE_TIMEOUT_MILLIS = 30_000;
const TRIES = 5;
const FIRST_PAUSE_MILLIS = 1000;
const JITTER = 0.2;
/** The minimum delay between two calls of a plugin. Each response costs a write to the API server. */
const MIN_REQUEUE_MILLIS = 100;

/** The plugins of an agent, in the order in which they are called. */
export class Plugins {
  readonly #world: PluginEnvironment;
  readonly #plugins: readonly Plugin[];
  /** The names of plugins that responded 404. They do not implement this call and are skipped. */
  readonly #unsupported = new Set<string>();

  constructor(world: PluginEnvironment, plugins: readonly Plugin[]) {
    this.#world = world;
    this.#plugins = plugins;
  }

  /**
   * Calls the plugins in order until one executes the task.
   * @throws {Error} with the response of a plugin that failed.
   */
  async execute(template: Template, stop: AbortSignal): Promise<PluginResult> {
    for (const plugin of this.#plugins) {
      if (this.#unsupported.has(plugin.name)) continue;
      const said = await this.#callPlugin(plugin, template, stop);
      if (said) return said;
    }
    return { result: { phase: "Failed", message: "no plugin executed the template" } };
  }

  async #callPlugin(plugin: Plugin, template: Template, stop: AbortSignal): Promise<PluginResult | undefined> {
    const { clock, workflow } = this.#world;
    const body = new TextEncoder().encode(JSON.stringify({ workflow: { metadata: workflow }, template }));
    for (let tries = 1, wait = FIRST_PAUSE_MILLIS;; tries++, wait *= 2) {
      const answer = await this.#sendOnce(plugin, body, stop, tries < TRIES);
      if (answer === "again") {
        await pause(clock, wait * (1 + Math.random() * JITTER), stop);
        continue;
      }
      const { status, text } = answer;
      if (status === 404) {
        this.#unsupported.add(plugin.name);
        return undefined;
      }
      if (status !== 200) throw new Error(`${status}: ${text}`);
      return readReply(plugin, text);
    }
  }

  /** Sends one request. Returns `again` if the plugin has not started yet or is busy. */
  async #sendOnce(plugin: Plugin, body: Uint8Array<ArrayBuffer>, stop: AbortSignal, mayTryAgain: boolean) {
    const { net, clock } = this.#world;
    const timeout = new AbortController();
    const takeBack = clock.after(RESPONSE_TIMEOUT_MILLIS, () => timeout.abort(new Error("no response within 30 s")));
    try {
      const response = await net.send({
        method: "POST",
        url: new URL("/api/v1/template.execute", plugin.address),
        headers: { "Authorization": `Bearer ${plugin.token}`, "Content-Type": "application/json" },
        body,
        stop: AbortSignal.any([stop, timeout.signal]),
      });
      const text = await response.text(MAX_CHARACTERS);
      if (text.length >= MAX_CHARACTERS) throw new Error(`the response is larger than ${MAX_CHARACTERS} bytes`);
      if (response.status === 503 && mayTryAgain) return "again";
      return { status: response.status, text };
    } catch (error) {
      stop.throwIfAborted();
      if (mayTryAgain && error instanceof NetError && error.passes) return "again";
      throw new Error(`executor plugin ${plugin.name}: ${(error as Error).message}`, { cause: error });
    } finally {
      takeBack();
    }
  }
}

/**
 * Parses the response of a plugin. Returns undefined if the plugin leaves the task to the next one: as in Argo, an
 * empty body, `null`, and a response without a node mean that.
 * @throws {Error} when the response is invalid.
 */
function readReply(plugin: Plugin, text: string): PluginResult | undefined {
  const wrong = (subject: string) =>
    new Error(`executor plugin ${plugin.name} returned an invalid response: ${subject}`);
  let value: unknown;
  try {
    value = text.trim() === "" ? undefined : parseJson(text);
  } catch (error) {
    throw wrong((error as Error).message);
  }
  const read = parseWith(Reply, value ?? {}, "lenient");
  if (!read.ok) throw wrong(read.errors.map(formatFieldError).join("; "));
  const { node, requeue } = read.value;
  if (!node) return undefined;
  const bytes = JSON.stringify(node.outputs ?? {}).length;
  if (bytes > LIMITS.responseBytes) throw wrong(`its outputs are larger than ${LIMITS.responseBytes} bytes`);
  if (!requeue || isFinalResult(node.phase)) return { result: node };
  try {
    return { result: node, againMillis: Math.max(MIN_REQUEUE_MILLIS, Number(parseDuration(requeue)) / 1e6) };
  } catch (error) {
    throw wrong(`requeue: ${(error as Error).message}`);
  }
}
