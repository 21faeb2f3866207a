/** ASN.1 encoding of Kerberos messages, with numbered fields (RFC 4120, appendix A). */
import { bits, element, integer, octets, readElements, sequence, tagged } from "@tiphys/base/x509/der";
import { MessageError } from "../rpc_messages.ts";

const TAG = { integer: 0x02, octets: 0x04, time: 0x18, text: 0x1b, sequence: 0x30 };

/** The bits of a tag for its class: application or context. */
const APPLICATION = 0x60;
const CONTEXT = 0xa0;
const NUMBER = 0x1f;

/** The value of a field: an integer, a text, bytes, or an encoded element. */
export type Asn1Value = number | string | Uint8Array | Element;

/** An encoded element. */
export class Element {
  constructor(readonly bytes: Uint8Array) {}
}

/** Encodes a sequence of fields. Fields without a value are omitted. */
export function fieldsOf(fields: readonly (readonly [number: number, value: Asn1Value | undefined])[]): Element {
  return new Element(
    sequence(
      ...fields.flatMap(([number, value]) => value === undefined ? [] : [tagged(number, encodeValue(value), true)]),
    ),
  );
}

/** Encodes a sequence of values without field numbers. */
export function listOf(values: readonly Asn1Value[]): Element {
  return new Element(sequence(...values.map(encodeValue)));
}

/** Wraps a message in its application tag. */
export function application(number: number, body: Element): Uint8Array {
  return element(APPLICATION | number, body.bytes);
}

/** Encodes 32 flags, the most significant first. */
export function flags(value: number): Element {
  return new Element(bits(Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)));
}

/** Encodes a time in milliseconds since the epoch, without its fraction of a second. */
export function time(millis: number): Element {
  const digits = new Date(millis).toISOString().replace(/\.\d{3}/, "").replace(/[-:T]/g, "");
  return new Element(element(TAG.time, new TextEncoder().encode(digits)));
}

function encodeValue(value: Asn1Value): Uint8Array {
  if (value instanceof Element) return value.bytes;
  if (value instanceof Uint8Array) return octets(value);
  if (typeof value === "string") return element(TAG.text, new TextEncoder().encode(value));
  return integer(BigInt(value));
}

/** The fields of a parsed sequence. Invalid data is a {@link MessageError}. */
export class Fields {
  readonly #fields = new Map<number, { readonly tag: number; readonly body: Uint8Array; readonly whole: Uint8Array }>();

  /** @param bytes the content of the sequence. */
  private constructor(bytes: Uint8Array) {
    for (const { tag, body } of elementsOf(bytes)) {
      const [value] = elementsOf(body);
      if ((tag & ~NUMBER) === CONTEXT && value) this.#fields.set(tag & NUMBER, value);
    }
  }

  /** Parses a sequence. */
  static of(bytes: Uint8Array): Fields {
    return new Fields(parseSingle(bytes, TAG.sequence));
  }

  /** Parses a message with one of the given numbers. */
  static message(bytes: Uint8Array, ...numbers: readonly number[]): Fields {
    const [found] = elementsOf(bytes);
    if (!found || !numbers.includes(found.tag ^ APPLICATION)) throw new MessageError("it is another message");
    return Fields.of(found.body);
  }

  number(number: number): number {
    return this.optionalNumber(number) ?? failMissing(number);
  }

  optionalNumber(number: number): number | undefined {
    const body = this.#body(number, TAG.integer);
    if (!body) return undefined;
    if (body.length === 0 || body.length > 6) throw new MessageError("a number in it is too large");
    const value = body.reduce((sum, byte) => sum * 256 + byte, 0);
    return body[0]! & 0x80 ? value - 256 ** body.length : value;
  }

  bytes(number: number): Uint8Array {
    return this.optionalBytes(number) ?? failMissing(number);
  }

  optionalBytes(number: number): Uint8Array | undefined {
    return this.#body(number, TAG.octets);
  }

  text(number: number): string {
    return this.optionalText(number) ?? failMissing(number);
  }

  optionalText(number: number): string | undefined {
    const body = this.#body(number, TAG.text);
    return body && new TextDecoder().decode(body);
  }

  /** Returns milliseconds since the epoch. */
  time(number: number): number {
    const text = new TextDecoder().decode(this.#body(number, TAG.time) ?? failMissing(number));
    const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
    if (parts.length === 0) throw new MessageError("a time in it is invalid");
    const [year, month, day, hour, minute, second] = parts.map(Number) as [number, number, number, ...number[]];
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }

  fields(number: number): Fields {
    return this.optionalFields(number) ?? failMissing(number);
  }

  optionalFields(number: number): Fields | undefined {
    const body = this.#body(number, TAG.sequence);
    return body && new Fields(body);
  }

  /** Returns an element in its encoded form. */
  encodedField(number: number): Uint8Array {
    return this.#fields.get(number)?.whole ?? failMissing(number);
  }

  /** Returns a list of sequences; empty if it is missing. */
  optionalList(number: number): Fields[] {
    return elementsOf(this.#body(number, TAG.sequence) ?? new Uint8Array()).map(({ whole }) => Fields.of(whole));
  }

  /** Returns the texts of a list. */
  texts(number: number): string[] {
    const body = this.#body(number, TAG.sequence) ?? failMissing(number);
    return elementsOf(body).map(({ body }) => new TextDecoder().decode(body));
  }

  #body(number: number, tag: number): Uint8Array | undefined {
    const found = this.#fields.get(number);
    if (found && found.tag !== tag) throw new MessageError(`its field ${number} has an unexpected type`);
    return found?.body;
  }
}

/** Parses a list of sequences. */
export function readFieldsList(bytes: Uint8Array): Fields[] {
  return elementsOf(parseSingle(bytes, TAG.sequence)).map(({ whole }) => Fields.of(whole));
}

function parseSingle(bytes: Uint8Array, tag: number): Uint8Array {
  const [found] = elementsOf(bytes);
  if (found?.tag !== tag) throw new MessageError("it is not a sequence");
  return found.body;
}

function elementsOf(bytes: Uint8Array): ReturnType<typeof readElements> {
  try {
    return readElements(bytes);
  } catch {
    throw new MessageError("it ends too early");
  }
}

function failMissing(number: number): never {
  throw new MessageError(`it lacks its field ${number}`);
}
