/** Actions that are being done right now: no pass waits for them. */

/**
 * Actions under way, each once by its name. A pass derives what must be done from what is seen; until an action is done
 * that shows nowhere, and asking for it again is not doing it twice.
 */
export class PendingActions {
  readonly #underWay = new Map<string, Promise<void>>();

  /**
   * Begins an action, unless one of its name is under way; then, when it may be asked for again, calls `after` with what
   * came of it. `act` must not throw.
   */
  begin<T>(name: string, act: () => Promise<T>, after: (result: T) => void = () => {}): void {
    if (this.#underWay.has(name)) return;
    const run = act().then((result) => {
      this.#underWay.delete(name);
      after(result);
    });
    this.#underWay.set(name, run);
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size) await Promise.all(this.#underWay.values());
  }
}
