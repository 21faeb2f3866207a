/**
 * The controller's ConfigMap, parsed key by key: valid keys are used, and each invalid one is a problem with its place.
 * It contains one key for each setting, or one key `config` with all of them.
 */
import {
  type ConfigMap,
  CONTROLLER_SETTINGS,
  type ControllerSettings,
  didYouMean,
  formatFieldError,
  type IfInvalid,
  nearestName,
  parseWith,
  type Setting,
  type SettingName,
} from "@tiphys/model/api";
import { parseYaml, positionOf, type YamlDocument } from "@tiphys/model/yaml";

/** A part of the ConfigMap that cannot be parsed. */
export interface SettingProblem {
  /**
   * The setting that has no value because of it; undefined if all settings are affected, or for an unknown key that
   * resembles none.
   */
  readonly setting?: SettingName;
  /** The place in the ConfigMap, and what is wrong there. */
  readonly message: string;
  readonly ifUnreadable: IfInvalid;
}

/** The parsed contents of a ConfigMap. */
export interface ReadConfigMap {
  /** The settings of the valid keys. */
  readonly settings: ControllerSettings;
  /** The problems, in the order of the ConfigMap. */
  readonly problems: readonly SettingProblem[];
}

/** The value of a key, or the problem with its text. */
interface Entry {
  readonly key: string;
  readonly value?: unknown;
  readonly error?: string;
  readonly lineOf: (path: string) => number;
}

const EXPECTED_FORMS = `expected either the key "config" or one key per setting`;

/** Parses a ConfigMap. */
export function readConfigMap({ data = {} }: ConfigMap): ReadConfigMap {
  const { config, ...texts } = data;
  // Keys that start with "_" are remarks, as in Argo's samples.
  const entries = Object.entries(texts).filter(([key]) => !key.startsWith("_"));
  if (config === undefined) return readEntries(entries.map(([key, text]) => entryOf(key, text)));
  for (const [key] of entries) return unreadableConfigMap(`${EXPECTED_FORMS}, got "config" and "${key}"`);
  const document = parseDocument(config);
  if (document === undefined) return { settings: {}, problems: [] };
  const { value, errors: [error] } = document;
  if (error) return unreadableConfigMap(`config: ${error.message} (line ${error.line})`);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return unreadableConfigMap("config: expected an object of settings");
  }
  const lineIn = (key: string) => (path: string) => positionOf(document, joinPath(key, path)).line;
  return readEntries(Object.entries(value).map(([key, value]) => ({ key, value, lineOf: lineIn(key) })));
}

function unreadableConfigMap(message: string): ReadConfigMap {
  return { settings: {}, problems: [{ message, ifUnreadable: "wait" }] };
}

function parseDocument(text: string): YamlDocument | undefined {
  return parseYaml(text)[0];
}

function entryOf(key: string, text: string): Entry {
  const document = parseDocument(text);
  if (document === undefined) return { key, lineOf: () => 1 };
  const { value, errors: [error] } = document;
  if (error) return { key, error: error.message, lineOf: () => error.line };
  return { key, value, lineOf: (path) => positionOf(document, path).line };
}

function readEntries(entries: readonly Entry[]): ReadConfigMap {
  const settings: Record<string, unknown> = {};
  const problems: SettingProblem[] = [];
  const unset = Object.keys(CONTROLLER_SETTINGS).filter((name) => !entries.some(({ key }) => key === name));
  for (const entry of entries) {
    const { key, value, error, lineOf } = entry;
    if (!isSettingName(key)) {
      problems.push(unknownKeyProblem(key, unset, lineOf("")));
      continue;
    }
    const { schema, ifUnreadable }: Setting = CONTROLLER_SETTINGS[key];
    if (error !== undefined) {
      problems.push({ setting: key, message: `${key}: ${error} (line ${lineOf("")})`, ifUnreadable });
      continue;
    }
    if (value === null || value === undefined) continue;
    const parsed = parseWith(schema, value);
    if (parsed.ok) settings[key] = parsed.value;
    else {
      for (const { path, message } of parsed.errors.slice(0, 1)) {
        const place = formatFieldError({ path: joinPath(key, path), message });
        problems.push({ setting: key, message: `${place} (line ${lineOf(path)})`, ifUnreadable });
      }
    }
  }
  return { settings, problems };
}

/** An unknown key is attributed to the unset key that it resembles most, because it may be a misspelling of it. */
function unknownKeyProblem(key: string, unset: readonly string[], line: number): SettingProblem {
  const message = `${key}: unknown key${didYouMean(key, Object.keys(CONTROLLER_SETTINGS))} (line ${line})`;
  const meant = nearestName(key, unset);
  if (meant === undefined || !isSettingName(meant)) return { message, ifUnreadable: "usual" };
  return { setting: meant, message, ifUnreadable: CONTROLLER_SETTINGS[meant].ifUnreadable };
}

function isSettingName(key: string): key is SettingName {
  return Object.hasOwn(CONTROLLER_SETTINGS, key);
}

function joinPath(key: string, path: string): string {
  return path === "" || path.startsWith("[") ? `${key}${path}` : `${key}.${path}`;
}
