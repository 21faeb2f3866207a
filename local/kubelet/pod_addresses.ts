/** The addresses of pods. */

/** This machine's own, which every pod can reach; it does for all of them where nothing else does. */
export const LOOPBACK = "127.0.0.1";

/** The number of addresses to give: the last two bytes, without those that end in 0 or 255. */
const ADDRESSES = 256 * 254;

/**
 * Addresses of the loopback device, one for each pod that runs: all share the network of this machine, and the device
 * answers to everything that begins with 127. Another kubelet of this machine likely has another second byte.
 */
export class PodAddresses {
  readonly #network: number | undefined;
  readonly #taken = new Set<string>();
  #next = 0;

  /** `network` is the second byte of all addresses, at random if not said. */
  constructor(network: number = 1 + Math.floor(Math.random() * 254)) {
    this.#network = answersTo(`127.${network}.0.1`) ? network : undefined;
  }

  /** An address that no pod has, and that none had for as long as possible. */
  take(): string {
    if (this.#network === undefined) return LOOPBACK;
    for (let tried = 0; tried < ADDRESSES; tried++) {
      const address = this.#address(this.#next++ % ADDRESSES);
      if (this.#taken.has(address)) continue;
      this.#taken.add(address);
      return address;
    }
    return LOOPBACK;
  }

  /** Gives an address back when its pod has ended. */
  release(address: string): void {
    this.#taken.delete(address);
  }

  #address(number: number): string {
    return `127.${this.#network}.${Math.floor(number / 254)}.${number % 254 + 1}`;
  }
}

/** Whether the loopback device is as wide as on Linux: elsewhere it has one address only. */
function answersTo(hostname: string): boolean {
  try {
    Deno.listen({ hostname, port: 0 }).close();
    return true;
  } catch {
    return false;
  }
}
