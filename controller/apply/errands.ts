/** What is being done in the world right now: no pass waits for it. */

/**
 * Errands under way, each once by its name. A pass derives what must be done from what is seen; until an errand is done
 * that shows nowhere, and asking for it again is not doing it twice.
 */
export class Errands {
  readonly #underWay = new Map<string, Promise<void>>();

  /**
   * Goes on an errand, unless one of its name is under way; then, when it may be asked for again, calls `after` with what
   * came of it. `errand` must not throw.
   */
  go<T>(name: string, errand: () => Promise<T>, after: (result: T) => void = () => {}): void {
    if (this.#underWay.has(name)) return;
    const run = errand().then((result) => {
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
