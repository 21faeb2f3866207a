/** The notation that messages of Kerberos are written in: fields by their numbers (RFC 4120, appendix A). */
import { bits, element, integer, octets, readElements, sequence, tagged } from "../../../x509/der.ts";
import { MessageError } from "../rpc_messages.ts";

const TAG = { integer: 0x02, octets: 0x04, time: 0x18, text: 0x1b, sequence: 0x30 };

/** The bits of a tag that say that it is of an application, or of what is around it. */
const APPLICATION = 0x60;
const CONTEXT = 0xa0;
const NUMBER = 0x1f;

/** The value of a field: a whole number, a text, bytes, or an element that is written already. */
export type Asn1Value = number | string | Uint8Array | Element;

/** An element that is written already. */
export class Element {
  constructor(readonly bytes: Uint8Array) {}
}

/** Writes a sequence of fields; those without a value are left out. */
export function fieldsOf(fields: readonly (readonly [number: number, value: Asn1Value | undefined])[]): Element {
  return new Element(
    sequence(...fields.flatMap(([number, value]) => value === undefined ? [] : [tagged(number, written(value), true)])),
  );
}

/** Writes a sequence without numbers. */
export function listOf(values: readonly Asn1Value[]): Element {
  return new Element(sequence(...values.map(written)));
}

/** Puts the number of a message around it. */
export function application(number: number, body: Element): Uint8Array {
  return element(APPLICATION | number, body.bytes);
}

/** Writes 32 flags, the first of which counts most. */
export function flags(value: number): Element {
  return new Element(bits(Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)));
}

/** Writes a time to the second. */
export function time(millis: number): Element {
  const digits = new Date(millis).toISOString().replace(/\.\d{3}/, "").replace(/[-:T]/g, "");
  return new Element(element(TAG.time, new TextEncoder().encode(digits)));
}

function written(value: Asn1Value): Uint8Array {
  if (value instanceof Element) return value.bytes;
  if (value instanceof Uint8Array) return octets(value);
  if (typeof value === "string") return element(TAG.text, new TextEncoder().encode(value));
  return integer(BigInt(value));
}

/** The fields of a sequence that was read. What is not as it must be throws a {@link MessageError}. */
export class Fields {
  readonly #fields = new Map<number, { readonly tag: number; readonly body: Uint8Array; readonly whole: Uint8Array }>();

  /** `bytes`: what is within the sequence. */
  private constructor(bytes: Uint8Array) {
    for (const { tag, body } of elementsOf(bytes)) {
      const [value] = elementsOf(body);
      if ((tag & ~NUMBER) === CONTEXT && value) this.#fields.set(tag & NUMBER, value);
    }
  }

  /** Reads a sequence. */
  static of(bytes: Uint8Array): Fields {
    return new Fields(single(bytes, TAG.sequence));
  }

  /** Reads a message, which has one of the numbers. */
  static message(bytes: Uint8Array, ...numbers: readonly number[]): Fields {
    const [found] = elementsOf(bytes);
    if (!found || !numbers.includes(found.tag ^ APPLICATION)) throw new MessageError("it is another message");
    return Fields.of(found.body);
  }

  number(number: number): number {
    return this.optionalNumber(number) ?? missing(number);
  }

  optionalNumber(number: number): number | undefined {
    const body = this.#body(number, TAG.integer);
    if (!body) return undefined;
    if (body.length === 0 || body.length > 6) throw new MessageError("a number of it is too large");
    const value = body.reduce((sum, byte) => sum * 256 + byte, 0);
    return body[0]! & 0x80 ? value - 256 ** body.length : value;
  }

  bytes(number: number): Uint8Array {
    return this.optionalBytes(number) ?? missing(number);
  }

  optionalBytes(number: number): Uint8Array | undefined {
    return this.#body(number, TAG.octets);
  }

  text(number: number): string {
    return this.optionalText(number) ?? missing(number);
  }

  optionalText(number: number): string | undefined {
    const body = this.#body(number, TAG.text);
    return body && new TextDecoder().decode(body);
  }

  /** Milliseconds since 1970. */
  time(number: number): number {
    const text = new TextDecoder().decode(this.#body(number, TAG.time) ?? missing(number));
    const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
    if (parts.length === 0) throw new MessageError("a time of it is none");
    const [year, month, day, hour, minute, second] = parts.map(Number) as [number, number, number, ...number[]];
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }

  fields(number: number): Fields {
    return this.optionalFields(number) ?? missing(number);
  }

  optionalFields(number: number): Fields | undefined {
    const body = this.#body(number, TAG.sequence);
    return body && new Fields(body);
  }

  /** An element as it was read. */
  whole(number: number): Uint8Array {
    return this.#fields.get(number)?.whole ?? missing(number);
  }

  /** A list of sequences; empty where there is none. */
  optionalList(number: number): Fields[] {
    return elementsOf(this.#body(number, TAG.sequence) ?? new Uint8Array()).map(({ whole }) => Fields.of(whole));
  }

  /** The texts of a list. */
  texts(number: number): string[] {
    const body = this.#body(number, TAG.sequence) ?? missing(number);
    return elementsOf(body).map(({ body }) => new TextDecoder().decode(body));
  }

  #body(number: number, tag: number): Uint8Array | undefined {
    const found = this.#fields.get(number);
    if (found && found.tag !== tag) throw new MessageError(`its field ${number} is of another kind`);
    return found?.body;
  }
}

/** Reads a list of sequences. */
export function readFieldsList(bytes: Uint8Array): Fields[] {
  return elementsOf(single(bytes, TAG.sequence)).map(({ whole }) => Fields.of(whole));
}

function single(bytes: Uint8Array, tag: number): Uint8Array {
  const [found] = elementsOf(bytes);
  if (found?.tag !== tag) throw new MessageError("it is no sequence");
  return found.body;
}

function elementsOf(bytes: Uint8Array): ReturnType<typeof readElements> {
  try {
    return readElements(bytes);
  } catch {
    throw new MessageError("it ends too early");
  }
}

function missing(number: number): never {
  throw new MessageError(`it lacks its field ${number}`);
}
