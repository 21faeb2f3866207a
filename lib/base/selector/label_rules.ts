/** Kubernetes' rules and error messages for label keys, label values and names. */
import { byteLength } from "../go/text.ts";

const QUALIFIED = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const MAX_LABEL = 63;
const MAX_SUBDOMAIN = 253;

const QUALIFIED_RULE = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_KEY_RULE =
  "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
const LABEL_VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** Returns the errors of a label value; empty when it is valid. */
export function labelValueErrors(value: string): string[] {
  const errors = tooLong(value, MAX_LABEL);
  return LABEL_VALUE.test(value) ? errors : [...errors, LABEL_VALUE_RULE];
}

/**
 * Returns the errors of a DNS-1123 subdomain, the format of most names; empty when it is valid. The limit is in bytes,
 * but messages of Kubernetes' clients call the unit "characters", except for a label's prefix.
 */
export function subdomainErrors(value: string, unit: "characters" | "bytes" = "characters"): string[] {
  const errors = tooLong(value, MAX_SUBDOMAIN, unit);
  return SUBDOMAIN.test(value) ? errors : [...errors, SUBDOMAIN_RULE];
}

/** Returns the errors of a label or annotation key, `[prefix/]name`; empty when it is valid. */
export function qualifiedNameErrors(value: string): string[] {
  const parts = value.split("/");
  if (parts.length > 2) return [LABEL_KEY_RULE];
  const [prefix = "", name = prefix] = parts;
  const errors = parts.length === 2 ? prefixErrors(prefix) : [];
  if (name === "") errors.push("name part must be non-empty");
  else errors.push(...tooLong(name, MAX_LABEL).map((text) => `name part ${text}`));
  if (!QUALIFIED.test(name)) errors.push(`name part ${QUALIFIED_RULE}`);
  return errors;
}

function prefixErrors(prefix: string): string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  return subdomainErrors(prefix, "bytes").map((text) => `prefix part ${text}`);
}

function tooLong(value: string, limit: number, unit = "bytes"): string[] {
  return byteLength(value) > limit ? [`must be no more than ${limit} ${unit}`] : [];
}
