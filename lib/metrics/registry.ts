/** All metrics of a program: those it has itself, and those of its workflows. */
import { BUILT_IN_METRICS, type BuiltInName } from "./built_in.ts";
import type { Definition, Labels, MetricType, Modifier } from "./definition.ts";
import { Instrument } from "./instrument.ts";

/** Sets of labels of one custom metric: each is held and served for as long as its metric is. */
export const MAX_CUSTOM_SERIES = 10_000;

/** Custom metrics of all workflows together. */
export const MAX_CUSTOM_METRICS = 1000;

/** A custom metric that cannot be what its author asked for. The message is Argo's. */
export class MetricError extends Error {
  override readonly name = "MetricError";
}

/** A value of a workflow's metric, as its template says it with all tags filled in. */
export interface CustomValue {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labels: Labels;
  readonly value: number;
  /** Of a gauge; `Set` when absent. */
  readonly operation?: "Set" | "Add" | "Sub" | undefined;
  /** Of a histogram. */
  readonly buckets?: readonly number[] | undefined;
}

export interface RegistryOptions {
  readonly modifiers?: Readonly<Record<string, Modifier>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export class MetricRegistry {
  readonly #options: RegistryOptions;
  readonly #builtIn = new Map<string, Instrument>();
  readonly #custom = new Map<string, Instrument>();

  constructor(options: RegistryOptions) {
    this.#options = options;
    for (const definition of BUILT_IN_METRICS) {
      const modifier = this.#modifier(definition.name);
      const { now } = options;
      this.#builtIn.set(definition.name, new Instrument(definition, { modifier, now, maxSeries: Infinity }));
    }
  }

  /** The modifiers that name no metric of the controller: a spelling mistake, usually. */
  unknownModifiers(): readonly string[] {
    return Object.keys(this.#options.modifiers ?? {}).filter((name) => !this.#builtIn.has(name));
  }

  /** A metric of the controller. */
  of(name: BuiltInName): Instrument {
    const instrument = this.#builtIn.get(name);
    if (!instrument) throw new Error(`No metric ${name} among the controller's`);
    return instrument;
  }

  /**
   * Takes a value of a workflow's metric.
   * @throws {MetricError} when the name is not one, or another metric has it.
   * @throws {TooManySeriesError} when the metric has as many sets of labels as it may.
   */
  record(custom: CustomValue): void {
    const instrument = this.#customInstrument(custom);
    const { labels, value } = custom;
    if (custom.type === "histogram") return instrument.observe(labels, value);
    if (custom.type === "counter") return instrument.add(labels, value);
    if (custom.operation === "Add") return instrument.add(labels, value);
    if (custom.operation === "Sub") return instrument.add(labels, -value);
    instrument.set(labels, value);
  }

  /**
   * Has a gauge of a workflow read each time it is served, until the answer is called.
   * @throws {MetricError} when the name is not one, or another metric has it.
   * @throws {TooManySeriesError} when the metric has as many readers as it may.
   */
  follow(gauge: Pick<CustomValue, "name" | "help" | "labels">, read: () => number): () => void {
    return this.#customInstrument({ ...gauge, type: "gauge" }).read(() => [[gauge.labels, read()]]);
  }

  /** Forgets values that workflows have not told for so many milliseconds, histograms apart. */
  dropOlderThan(millis: number): void {
    const before = this.#options.now() - millis;
    for (const instrument of this.#custom.values()) {
      if (instrument.definition.type !== "histogram") instrument.drop((updatedAt) => updatedAt < before);
    }
  }

  /** All metrics, those of the controller first, each kind by name. */
  *instruments(): Generator<Instrument> {
    for (const instruments of [this.#builtIn, this.#custom]) {
      yield* [...instruments.values()].sort((a, b) => a.definition.name < b.definition.name ? -1 : 1);
    }
  }

  /** The reason why a value cannot be counted, in Argo's words where it has some; undefined when it can. */
  problemWith({ name, help, type }: Pick<CustomValue, "name" | "help" | "type">): string | undefined {
    if (!/^[a-zA-Z0-9_]+$/.test(name)) {
      return "metric name is invalid: names may only contain alphanumeric characters or '_'";
    }
    if (help === "") return `metric '${name}' must contain a help string under 'help: ' field`;
    const found = this.#builtIn.get(name) ?? this.#custom.get(name);
    if (!found) {
      const isFull = this.#custom.size >= MAX_CUSTOM_METRICS;
      return isFull ? `there are ${MAX_CUSTOM_METRICS} metrics of workflows already` : undefined;
    }
    const { definition } = found;
    if (definition.help !== help) {
      return `help for metric ${name} is already set to ${definition.help}, it cannot be changed`;
    }
    if (definition.type !== type || this.#builtIn.has(name)) {
      return `found existing ${definition.type} for custom metric ${name} of type ${type}`;
    }
    return undefined;
  }

  #customInstrument(custom: Omit<CustomValue, "value" | "labels">): Instrument {
    const problem = this.problemWith(custom);
    if (problem !== undefined) throw new MetricError(problem);
    const { name, help, type, buckets } = custom;
    const found = this.#custom.get(name);
    if (found) return found;
    const definition: Definition = { name, type, help, ...(buckets ? { buckets } : {}) };
    const instrument = new Instrument(definition, { now: this.#options.now, maxSeries: MAX_CUSTOM_SERIES });
    this.#custom.set(name, instrument);
    return instrument;
  }

  #modifier(name: string): Modifier | undefined {
    const { modifiers } = this.#options;
    return modifiers && Object.hasOwn(modifiers, name) ? modifiers[name] : undefined;
  }
}
