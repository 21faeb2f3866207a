/**
 * Messages whose JSON is not an object with their fields: times are strings, and an IntOrString is a number or a
 * string.
 */

/** A JSON value, or undefined. */
type Json = unknown;
/** The fields of a message by name. */
type Fields = Readonly<Record<string, Json>>;

/** The conversion between the fields of a message and its JSON. */
interface JsonConversion {
  readonly toJson: (fields: Fields) => Json;
  /** Returns undefined for JSON of the wrong type. */
  readonly toFields: (json: Json) => Fields | undefined;
}

/** The conversions by message name. */
export const KINDS: ReadonlyMap<string, JsonConversion> = new Map<string, JsonConversion>([
  ["meta.Time", time(0)],
  ["meta.MicroTime", time(6)],
  ["intstr.IntOrString", numberOrText("intVal")],
  ["events.Int64OrString", numberOrText("int64Val")],
]);

const LATEST_SECONDS = 253_402_300_799; // the end of the year 9999
const EARLIEST_SECONDS = -62_135_596_800; // the beginning of the year 1: Go's zero time

/** A time in RFC 3339 with this number of fractional digits. Go's zero time is `null`. */
function time(digits: number): JsonConversion {
  return {
    toJson({ seconds, nanos = 0 }) {
      const whole = Number(seconds);
      if (!(whole > EARLIEST_SECONDS && whole <= LATEST_SECONDS)) return undefined;
      const text = new Date(whole * 1000).toISOString().slice(0, -".000Z".length);
      const fraction = String(nanos).padStart(9, "0").slice(0, digits);
      return `${text}${digits > 0 ? `.${fraction}` : ""}Z`;
    },
    toFields(json) {
      if (typeof json !== "string") return undefined;
      const millis = Date.parse(json);
      if (Number.isNaN(millis)) return undefined;
      const [, fraction = ""] = /[Tt ]\d\d:\d\d:\d\d\.(\d{1,9})/.exec(json) ?? [];
      return { seconds: Math.floor(millis / 1000), nanos: digits === 0 ? 0 : Number(fraction.padEnd(9, "0")) };
    },
  };
}

const IS_TEXT = 1;

function numberOrText(field: string): JsonConversion {
  return {
    toJson: ({ type = 0, strVal = "", [field]: number = 0 }) => type === IS_TEXT ? strVal : number,
    toFields(json) {
      if (typeof json === "string") return { type: IS_TEXT, strVal: json };
      return typeof json === "number" && Number.isSafeInteger(json) ? { type: 0, [field]: json } : undefined;
    },
  };
}
