/** All metrics of a program: the built-in ones and those of its workflows. */
import { BUILT_IN_METRICS, type BuiltInName } from "./built_in.ts";
import type { Definition, Labels, MetricType, Modifier } from "./definition.ts";
import { Instrument } from "./instrument.ts";
import { MetricBudget, MetricError } from "./metric_budget.ts";

/** A value of a workflow's metric, from its template with all tags substituted. */
export interface CustomValue {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labels: Labels;
  readonly value: number;
  /** For a gauge. Default: `Set`. */
  readonly operation?: "Set" | "Add" | "Sub" | undefined;
  /** For a histogram. */
  readonly buckets?: readonly number[] | undefined;
}

export interface RegistryOptions {
  readonly modifiers?: Readonly<Record<string, Modifier>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A metric of workflows, with the bytes (without its series) charged to the namespace that first recorded it. */
interface CustomMetric {
  readonly instrument: Instrument;
  readonly owner: string;
  readonly bytes: number;
}

/** Estimated bytes of a metric without its texts. */
const METRIC_BYTES = 1000;
const BYTES_PER_CHARACTER = 2;
const BUCKET_BYTES = 16;

export class MetricRegistry {
  readonly #options: RegistryOptions;
  readonly #builtIn = new Map<string, Instrument>();
  readonly #custom = new Map<string, CustomMetric>();
  readonly #budget = new MetricBudget();
  /** Changes in progress; each settles when its values are recorded or it has failed. */
  readonly #changes = new Set<Promise<void>>();

  constructor(options: RegistryOptions) {
    this.#options = options;
    for (const definition of BUILT_IN_METRICS) {
      const modifier = this.#modifier(definition.name);
      const { now } = options;
      this.#builtIn.set(definition.name, new Instrument(definition, { modifier, now }));
    }
  }

  /** Returns the names of modifiers that match no built-in metric, usually spelling mistakes. */
  unknownModifiers(): readonly string[] {
    return Object.keys(this.#options.modifiers ?? {}).filter((name) => !this.#builtIn.has(name));
  }

  /**
   * Announces a change that becomes visible elsewhere before its values are recorded here. Dispose of the result when
   * the values are recorded or the change has failed.
   */
  beginChange(): Disposable {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#changes.add(promise);
    return {
      [Symbol.dispose]: () => {
        this.#changes.delete(promise);
        resolve();
      },
    };
  }

  /** Resolves when the values of all changes that are currently in progress are recorded. */
  async whenRecorded(): Promise<void> {
    await Promise.all(this.#changes);
  }

  /** Returns a built-in metric. */
  builtIn(name: BuiltInName): Instrument {
    const instrument = this.#builtIn.get(name);
    if (!instrument) throw new Error(`No metric ${name} among the controller's`);
    return instrument;
  }

  /**
   * Records a value of a workflow's metric for its namespace.
   * @throws {MetricError} when the name is invalid or in use by another metric, or the metrics of the namespace exceed
   * their limit.
   */
  record(custom: CustomValue, namespace = ""): void {
    const instrument = this.#customInstrument(custom, namespace);
    const { labels, value } = custom;
    if (custom.type === "histogram") return instrument.observe(labels, value, namespace);
    if (custom.type === "counter") return instrument.add(labels, value, namespace);
    if (custom.operation === "Add") return instrument.add(labels, value, namespace);
    if (custom.operation === "Sub") return instrument.add(labels, -value, namespace);
    instrument.set(labels, value, namespace);
  }

  /**
   * Reads a workflow's gauge on each scrape until the returned function is called.
   * @throws {MetricError} as {@link record}.
   */
  follow(gauge: Pick<CustomValue, "name" | "help" | "labels">, read: () => number, namespace = ""): () => void {
    return this.#customInstrument({ ...gauge, type: "gauge" }, namespace).follow(gauge.labels, read, namespace);
  }

  /** Removes values that workflows have not recorded for `millis` milliseconds, and metrics without values. */
  dropOlderThan(millis: number): void {
    const before = this.#options.now() - millis;
    for (const [name, { instrument, owner, bytes }] of this.#custom) {
      instrument.dropSeries((updatedAt) => updatedAt < before);
      if (instrument.size > 0) continue;
      this.#custom.delete(name);
      this.#budget.release(owner, bytes);
    }
  }

  /** Yields the built-in metrics, then those of workflows, each sorted by name. */
  *instruments(): Generator<Instrument> {
    const custom = [...this.#custom.values()].map(({ instrument }) => instrument);
    for (const instruments of [[...this.#builtIn.values()], custom]) {
      yield* instruments.sort((a, b) => a.definition.name < b.definition.name ? -1 : 1);
    }
  }

  /**
   * Returns an error message when a value of a namespace cannot be recorded at this time, with Argo's message if there
   * is one.
   */
  problemWith(custom: Omit<CustomValue, "value">, namespace = ""): string | undefined {
    const problem = this.#problem(custom);
    if (problem !== undefined) return problem;
    const known = this.#custom.get(custom.name)?.instrument;
    const bytes = (known ? 0 : bytesOf(custom)) + (known ?? this.#instrumentOf(custom)).bytesFor(custom.labels);
    return this.#budget.problemWith(namespace, bytes);
  }

  #problem({ name, help, type, labels }: Omit<CustomValue, "value">): string | undefined {
    if (!/^[a-zA-Z0-9_]+$/.test(name)) {
      return "metric name is invalid: names may only contain alphanumeric characters or '_'";
    }
    // An invalid key would change the meaning of the response to a scrape. Prometheus reserves two underscores.
    const key = Object.keys(labels).find((key) => !/^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/.test(key));
    if (key !== undefined) {
      return `metric label '${key}' is invalid: keys may only contain alphanumeric characters or '_'`;
    }
    if (help === "") return `metric '${name}' must contain a help string under 'help: ' field`;
    const series = this.#builtIn.get(name.replace(/_(bucket|sum|count)$/, ""))?.definition;
    if (series?.type === "histogram") return `found existing histogram for custom metric ${name} of type ${type}`;
    const found = this.#builtIn.get(name) ?? this.#custom.get(name)?.instrument;
    if (!found) return undefined;
    const { definition } = found;
    if (definition.help !== help) {
      return `help for metric ${name} is already set to ${definition.help}, it cannot be changed`;
    }
    if (definition.type !== type || this.#builtIn.has(name)) {
      return `found existing ${definition.type} for custom metric ${name} of type ${type}`;
    }
    return undefined;
  }

  #customInstrument(custom: Omit<CustomValue, "value">, owner: string): Instrument {
    const problem = this.problemWith(custom, owner);
    if (problem !== undefined) throw new MetricError(problem);
    const found = this.#custom.get(custom.name);
    if (found) return found.instrument;
    const instrument = this.#instrumentOf(custom);
    const bytes = bytesOf(custom);
    this.#budget.reserve(owner, bytes);
    this.#custom.set(custom.name, { instrument, owner, bytes });
    return instrument;
  }

  #instrumentOf({ name, type, help, buckets }: Omit<CustomValue, "value" | "labels">): Instrument {
    const definition: Definition = { name, type, help, ...(buckets ? { buckets } : {}) };
    return new Instrument(definition, { now: this.#options.now, account: this.#budget });
  }

  #modifier(name: string): Modifier | undefined {
    const { modifiers } = this.#options;
    return modifiers && Object.hasOwn(modifiers, name) ? modifiers[name] : undefined;
  }
}

/** Returns the estimated bytes of a metric without its series. */
function bytesOf({ name, help, buckets = [] }: Pick<CustomValue, "name" | "help" | "buckets">): number {
  return METRIC_BYTES + BYTES_PER_CHARACTER * (name.length + help.length) + BUCKET_BYTES * buckets.length;
}
