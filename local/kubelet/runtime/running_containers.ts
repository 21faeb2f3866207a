/** The containers of a back end that have not ended. */
import type { Container } from "./runtime.ts";

/** Knows a container until it ends, so that all can be ended with their back end. */
export class RunningContainers {
  readonly #containers = new Set<Container>();

  /** Takes note of a container; answers it. */
  add(container: Container): Container {
    this.#containers.add(container);
    void container.ended.catch(() => {}).then(() => this.#containers.delete(container));
    return container;
  }

  /** Kills all, and waits for their ends. */
  async killAll(): Promise<void> {
    const all = [...this.#containers];
    for (const container of all) container.signal("SIGKILL");
    await Promise.all(all.map((container) => container.ended));
  }
}
