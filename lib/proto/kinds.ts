/**
 * Messages that are something else in JSON than an object with their fields: times are texts, and what is a number or a
 * text is one of both.
 */

/** A value of JSON, or undefined for none. */
type Json = unknown;
/** The fields of a message by their names. */
type Fields = Readonly<Record<string, Json>>;

/** Both ways between the fields of a message and its JSON. */
interface Kind {
  readonly toJson: (fields: Fields) => Json;
  /** Undefined for what it cannot be. */
  readonly toFields: (json: Json) => Fields | undefined;
}

/** The kinds by the name of their message. */
export const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["meta.Time", time(0)],
  ["meta.MicroTime", time(6)],
  ["intstr.IntOrString", numberOrText("intVal")],
  ["events.Int64OrString", numberOrText("int64Val")],
]);

const LATEST_SECONDS = 253_402_300_799; // the end of the year 9999
const EARLIEST_SECONDS = -62_135_596_800; // the beginning of the year 1: Go's zero time

/** A time in RFC 3339 with so many digits after the second. Go's zero time is none. */
function time(digits: number): Kind {
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

function numberOrText(field: string): Kind {
  return {
    toJson: ({ type = 0, strVal = "", [field]: number = 0 }) => type === IS_TEXT ? strVal : number,
    toFields(json) {
      if (typeof json === "string") return { type: IS_TEXT, strVal: json };
      return typeof json === "number" && Number.isSafeInteger(json) ? { type: 0, [field]: json } : undefined;
    },
  };
}
