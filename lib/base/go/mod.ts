/**
 * Go's notations that Argo's users see: how numbers, durations, times, quantities, strings and values are parsed and
 * formatted. Pure, without dependencies, and usable in a browser.
 *
 *   | file | content |
 *   | --- | --- |
 *   | `number.ts`, `power.ts`, `exponential.ts` | int64 and float64 as Go parses and exponentiates them |
 *   | `format_float.ts`, `exact.ts` | the formats of floats, rounded from the exact value |
 *   | `duration.ts` | durations: Go's, Argo's, and for people |
 *   | `time.ts`, `calendar.ts`, `zone.ts`, `zone_names.ts`, `layout.ts`, `layout_parse.ts`, `strftime.ts` | instants,
 * time zones and layouts |
 *   | `text.ts`, `utf8.ts`, `quote.ts`, `base64.ts`, `hash.ts` | strings as UTF-8 bytes, quoting, encodings, FNV |
 *   | `type.ts`, `value.ts` | the Go types and values of expressions |
 *   | `format_value.ts`, `printf.ts`, `json.ts` | a value as `%v`, by verbs, and as JSON |
 *   | `any_string.ts`, `quantity.ts`, `quantity_pattern.ts` | two notations of the Kubernetes API |
 */
export * from "./any_string.ts";
export * from "./base64.ts";
export * from "./duration.ts";
export * from "./format_float.ts";
export * from "./format_value.ts";
export * from "./hash.ts";
export * from "./json.ts";
export { formatTime, RFC1123, RFC3339, RFC3339_NANO, RFC822, RFC850, TIME_STRING } from "./layout.ts";
export * from "./layout_parse.ts";
export * from "./number.ts";
export * from "./power.ts";
export * from "./printf.ts";
export * from "./quantity.ts";
export { quantityProblem } from "./quantity_pattern.ts";
export * from "./quote.ts";
export * from "./strftime.ts";
export * from "./text.ts";
export * from "./time.ts";
export * from "./type.ts";
export * from "./utf8.ts";
export * from "./value.ts";
export * from "./zone.ts";
