/** The running containers of a back end. */
import type { Container } from "./runtime.ts";

/** Tracks containers until they end, so that they can be killed together. */
export class RunningContainers {
  readonly #containers = new Set<Container>();

  /** Adds a container and returns it. */
  add(container: Container): Container {
    this.#containers.add(container);
    void container.ended.catch(() => {}).then(() => this.#containers.delete(container));
    return container;
  }

  /** Kills all containers, and waits until they have ended. */
  async killAll(): Promise<void> {
    const all = [...this.#containers];
    for (const container of all) container.signal("SIGKILL");
    await Promise.all(all.map((container) => container.ended));
  }
}
