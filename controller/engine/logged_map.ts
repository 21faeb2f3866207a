import type { ChangeLog } from "./change_log.ts";

/** A map that notes in a log which of its keys got another value, or lost theirs. */
export class LoggedMap<V> extends Map<string, V> {
  readonly #log: ChangeLog;

  constructor(log: ChangeLog) {
    super();
    this.#log = log;
  }

  override set(key: string, value: V): this {
    if (super.get(key) !== value || !super.has(key)) this.#log.note(key);
    return super.set(key, value);
  }

  override delete(key: string): boolean {
    const had = super.delete(key);
    if (had) this.#log.note(key);
    return had;
  }

  override clear(): void {
    for (const key of this.keys()) this.#log.note(key);
    super.clear();
  }
}
