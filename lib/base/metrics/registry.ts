/** All metrics of a program: those it has itself, and those of its workflows. */
import { BUILT_IN_METRICS, type BuiltInName } from "./built_in.ts";
import type { Definition, Labels, MetricType, Modifier } from "./definition.ts";
import { Instrument } from "./instrument.ts";
import { MetricBudget, MetricError } from "./metric_budget.ts";

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

/** A metric of workflows, and what it takes beside its series of the namespace that recorded it first. */
interface CustomMetric {
  readonly instrument: Instrument;
  readonly owner: string;
  readonly bytes: number;
}

/** The memory of a metric beside its texts. */
const METRIC_BYTES = 1000;
const BYTES_PER_CHARACTER = 2;
const BUCKET_BYTES = 16;

export class MetricRegistry {
  readonly #options: RegistryOptions;
  readonly #builtIn = new Map<string, Instrument>();
  readonly #custom = new Map<string, CustomMetric>();
  readonly #budget = new MetricBudget();
  /** Changes in progress, each settled when it was counted or failed. */
  readonly #changes = new Set<Promise<void>>();

  constructor(options: RegistryOptions) {
    this.#options = options;
    for (const definition of BUILT_IN_METRICS) {
      const modifier = this.#modifier(definition.name);
      const { now } = options;
      this.#builtIn.set(definition.name, new Instrument(definition, { modifier, now }));
    }
  }

  /** The modifiers that name no metric of the controller: a spelling mistake, usually. */
  unknownModifiers(): readonly string[] {
    return Object.keys(this.#options.modifiers ?? {}).filter((name) => !this.#builtIn.has(name));
  }

  /**
   * Begins a change that others can see before its counts are here; the change has been counted, or has failed, when the
   * result is disposed.
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

  /** Resolves when all changes that are in progress now have been counted. */
  async counted(): Promise<void> {
    await Promise.all(this.#changes);
  }

  /** A metric of the controller. */
  of(name: BuiltInName): Instrument {
    const instrument = this.#builtIn.get(name);
    if (!instrument) throw new Error(`No metric ${name} among the controller's`);
    return instrument;
  }

  /**
   * Takes a value of a metric that a workflow of a namespace records.
   * @throws {MetricError} when the name is invalid, another metric has it, or the metrics of the namespace are too large.
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
   * Reads a gauge of a workflow each time it is served, until the returned function is called.
   * @throws {MetricError} as {@link record}.
   */
  follow(gauge: Pick<CustomValue, "name" | "help" | "labels">, read: () => number, namespace = ""): () => void {
    return this.#customInstrument({ ...gauge, type: "gauge" }, namespace).follow(gauge.labels, read, namespace);
  }

  /** Forgets values that workflows have not recorded for some milliseconds, and metrics without a value. */
  dropOlderThan(millis: number): void {
    const before = this.#options.now() - millis;
    for (const [name, { instrument, owner, bytes }] of this.#custom) {
      instrument.drop((updatedAt) => updatedAt < before);
      if (instrument.size > 0) continue;
      this.#custom.delete(name);
      this.#budget.give(owner, bytes);
    }
  }

  /** All metrics, those of the controller first, each kind by name. */
  *instruments(): Generator<Instrument> {
    const custom = [...this.#custom.values()].map(({ instrument }) => instrument);
    for (const instruments of [[...this.#builtIn.values()], custom]) {
      yield* instruments.sort((a, b) => a.definition.name < b.definition.name ? -1 : 1);
    }
  }

  /**
   * The reason why a value of a namespace cannot be recorded, in Argo's words where it has some; undefined when it can, unless
   * others are recorded before it.
   */
  problemWith(custom: Omit<CustomValue, "value">, namespace = ""): string | undefined {
    const problem = this.#mistake(custom);
    if (problem !== undefined) return problem;
    const known = this.#custom.get(custom.name)?.instrument;
    const bytes = (known ? 0 : bytesOf(custom)) + (known ?? this.#instrumentOf(custom)).bytesFor(custom.labels);
    return this.#budget.problemWith(namespace, bytes);
  }

  #mistake({ name, help, type }: Pick<CustomValue, "name" | "help" | "type">): string | undefined {
    if (!/^[a-zA-Z0-9_]+$/.test(name)) {
      return "metric name is invalid: names may only contain alphanumeric characters or '_'";
    }
    if (help === "") return `metric '${name}' must contain a help string under 'help: ' field`;
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
    this.#budget.take(owner, bytes);
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

/** The memory of a metric without its series. */
function bytesOf({ name, help, buckets = [] }: Pick<CustomValue, "name" | "help" | "buckets">): number {
  return METRIC_BYTES + BYTES_PER_CHARACTER * (name.length + help.length) + BUCKET_BYTES * buckets.length;
}
