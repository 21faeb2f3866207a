/** The addresses of pods. */

/** The address of this machine that every pod can reach. All pods use it if there are no others. */
export const LOOPBACK = "127.0.0.1";

/** The number of available addresses: the last two bytes, except for those that end in 0 or 255. */
const ADDRESSES = 256 * 254;

/**
 * Loopback addresses, one for each running pod: all pods share the network of this machine, whose loopback device
 * accepts every address that begins with 127. The second byte is random, so that other kubelets of this machine likely
 * differ.
 */
export class PodAddresses {
  readonly #network: number | undefined;
  readonly #assigned = new Set<string>();
  #next = 0;

  /** `network` is the second byte of all addresses; random by default. */
  constructor(network: number = 1 + Math.floor(Math.random() * 254)) {
    this.#network = isAddressAvailable(`127.${network}.0.1`) ? network : undefined;
  }

  /** Returns an unused address, the least recently used one. */
  take(): string {
    if (this.#network === undefined) return LOOPBACK;
    for (let tried = 0; tried < ADDRESSES; tried++) {
      const address = this.#address(this.#next++ % ADDRESSES);
      if (this.#assigned.has(address)) continue;
      this.#assigned.add(address);
      return address;
    }
    return LOOPBACK;
  }

  /** Releases the address of a pod that has ended. */
  release(address: string): void {
    this.#assigned.delete(address);
  }

  #address(number: number): string {
    return `127.${this.#network}.${Math.floor(number / 254)}.${number % 254 + 1}`;
  }
}

/** Reports whether the loopback device accepts all its addresses, as on Linux. Elsewhere it has only one. */
function isAddressAvailable(hostname: string): boolean {
  try {
    Deno.listen({ hostname, port: 0 }).close();
    return true;
  } catch {
    return false;
  }
}
