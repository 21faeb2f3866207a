/**
 * Plain scalars by the rules of Kubernetes' tools (YAML 1.1 with their corrections): `y`, `on` and `off` are booleans,
 * `0755` and `0o755` are octal, `1_000` is a thousand, and dates and times are text.
 */
import type { ScalarTag, SchemaOptions } from "yaml";

const PREFIX = "tag:yaml.org,2002:";

const nullTag: ScalarTag = {
  tag: `${PREFIX}null`,
  default: true,
  test: /^(?:~|[Nn]ull|NULL)?$/,
  identify: (value) => value === null,
  createNode: undefined,
  resolve: () => null,
  stringify: () => "null",
};

const trueTag: ScalarTag = {
  tag: `${PREFIX}bool`,
  default: true,
  test: /^(?:[Yy]|[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON)$/,
  identify: (value) => value === true,
  resolve: () => true,
  stringify: () => "true",
};

const falseTag: ScalarTag = {
  tag: `${PREFIX}bool`,
  default: true,
  test: /^(?:[Nn]|[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/,
  identify: (value) => value === false,
  resolve: () => false,
  stringify: () => "false",
};

const intTag: ScalarTag = {
  tag: `${PREFIX}int`,
  default: true,
  test: /^[-+]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]+|0|[1-9][0-9_]*)$/,
  identify: (value) => Number.isInteger(value),
  resolve: readInteger,
  stringify: ({ value }) => numberText(value),
};

const floatTag: ScalarTag = {
  tag: `${PREFIX}float`,
  default: true,
  test: /^[-+]?(?:\.[0-9][0-9_]*|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9_]+)?$/,
  identify: (value) => typeof value === "number",
  resolve: (text) => {
    const value = Number(text.replaceAll("_", ""));
    return Number.isFinite(value) ? value : text;
  },
  stringify: ({ value }) => numberText(value),
};

const infinityTag: ScalarTag = {
  tag: `${PREFIX}float`,
  default: true,
  test: /^(?:[-+]?\.(?:[Ii]nf|INF)|\.(?:nan|NaN|NAN))$/,
  resolve: (text, onError) => {
    onError(`${text} cannot be kept in JSON`);
    return null;
  },
};

/** Text that looks like a time remains text, and is quoted when written so that other parsers agree. */
const timeTag: ScalarTag = {
  tag: `${PREFIX}timestamp`,
  default: true,
  test: /^(?:\d{4}-\d\d?-\d\d?(?:[Tt ].*)?|[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?)$/,
  resolve: (text) => text,
};

const binaryTag: ScalarTag = {
  tag: `${PREFIX}binary`,
  resolve: (text) => new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))),
};

/** The schema options for parsing and writing by these rules. */
export const kubernetesScalars: SchemaOptions = {
  schema: "failsafe",
  merge: true,
  // Otherwise `!!set`, `!!omap` and `!!timestamp` would create values that JSON does not support.
  resolveKnownTags: false,
  customTags: (tags) => [...tags, nullTag, trueTag, falseTag, intTag, timeTag, floatTag, infinityTag, binaryTag],
};

function readInteger(text: string): number {
  const digits = text.replaceAll("_", "");
  const sign = digits.startsWith("-") ? -1 : 1;
  const magnitude = digits.replace(/^[-+]/, "");
  const value = Number(magnitude.replace(/^0[oO]?(?=[0-7])/, "0o"));
  return sign * (value < 2 ** 64 ? value : Number(magnitude));
}

function numberText(value: unknown): string {
  return JSON.stringify(value);
}
