/** Actions in flight, for which no pass waits. */

/**
 * Actions in flight, each once per name. A pass derives actions from observed facts, which do not show the effect of an
 * action in flight; the name prevents running it twice.
 */
export class PendingActions {
  readonly #underWay = new Map<string, Promise<void>>();

  /**
   * Runs an action, unless one of that name is in flight. When it has ended, its name is free again and `after` is
   * called with the result. `act` must not throw.
   */
  begin<T>(name: string, act: () => Promise<T>, after: (result: T) => void = () => {}): void {
    if (this.#underWay.has(name)) return;
    const run = act().then((result) => {
      this.#underWay.delete(name);
      after(result);
    });
    this.#underWay.set(name, run);
  }

  /** Resolves when no action is in flight. */
  async idle(): Promise<void> {
    while (this.#underWay.size) await Promise.all(this.#underWay.values());
  }
}
