/** RC4: the only cipher that both Java's DIGEST-MD5 and this client support. It protects the negotiation of AES. */
import type { Bytes } from "@tiphys/base/net";

/** A key stream that continues from one piece to the next. */
export class Rc4 {
  readonly #state = Uint8Array.from({ length: 256 }, (_, index) => index);
  #at = 0;
  #other = 0;

  constructor(key: Uint8Array) {
    const state = this.#state;
    for (let index = 0, other = 0; index < 256; index++) {
      const value = state[index]!;
      other = other + value + key[index % key.length]! & 255;
      state[index] = state[other]!;
      state[other] = value;
    }
  }

  /** Encrypts or decrypts bytes. */
  apply(bytes: Uint8Array): Bytes {
    const state = this.#state;
    const result = new Uint8Array(bytes.length);
    let [at, other] = [this.#at, this.#other];
    for (let index = 0; index < bytes.length; index++) {
      at = at + 1 & 255;
      const value = state[at]!;
      other = other + value & 255;
      const two = state[other]!;
      state[at] = two;
      state[other] = value;
      result[index] = bytes[index]! ^ state[value + two & 255]!;
    }
    [this.#at, this.#other] = [at, other];
    return result;
  }
}
