import type { ChangeLog } from "../nodes/change_log.ts";

/** A map that logs keys whose values change, or that are removed. With a `kind`, they are logged as `KIND/KEY`. */
export class LoggedMap<V> extends Map<string, V> {
  readonly #note: (key: string) => void;

  constructor(log: ChangeLog, kind?: string) {
    super();
    this.#note = kind === undefined ? (key) => log.add(key) : (key) => log.add(`${kind}/${key}`);
  }

  override set(key: string, value: V): this {
    if (super.get(key) !== value || !super.has(key)) this.#note(key);
    return super.set(key, value);
  }

  override delete(key: string): boolean {
    const had = super.delete(key);
    if (had) this.#note(key);
    return had;
  }

  override clear(): void {
    for (const key of this.keys()) this.#note(key);
    super.clear();
  }
}
