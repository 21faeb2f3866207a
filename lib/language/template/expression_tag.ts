/** Fills in `{{=…}}`: decides whether a tag is resolved, left for a later pass, or fails. */
import { TextCache } from "@tiphys/base/text_cache";
import { UserError } from "@tiphys/base/user_error";
import { jsonSyntaxError } from "@tiphys/base/go/json_syntax";
import { quote } from "@tiphys/base/go/quote";
import { GoMap, isPlainMap, type Value } from "@tiphys/base/go/value";
import { TemplateError } from "./error.ts";
import { compilerFor, environment, type Expression, ExpressionError, findReferences, toJsonText } from "./expr/mod.ts";
import { nearestName } from "@tiphys/base/nearest_name";
import { unescapeHtml } from "./json_text.ts";
import type { SourceLocation } from "./place.ts";
import { isPlaceholder, type Mode, requiresName, type Scope } from "./scope.ts";

/**
 * Names that get a value only after the first passes. An expression that uses one must wait for it, even if it could be
 * evaluated without: `item == nil` is true until the loop runs.
 */
const LATE_NAMES = new Set([
  "item",
  "retries",
  "lastRetry.exitCode",
  "lastRetry.status",
  "lastRetry.duration",
  "lastRetry.message",
  "workflow.status",
  "workflow.failures",
]);

/** The expression tags of one pass. The environment is built when the first one is found. */
export class ExpressionTags {
  private built: { env: Record<string, Value>; compile: (source: string) => Expression } | undefined;

  constructor(private readonly scope: Scope, private readonly mode: Mode) {}

  /**
   * Returns the text that replaces `{{=text}}`; undefined if the tag is kept for a later pass.
   * @throws {TemplateError}
   */
  value(text: string): string | undefined {
    const plain = unescapeHtml(text);
    const source = unescapeJson(plain);
    const names = requiredNames(source);
    // An expression that does not parse can never succeed, so it fails in every mode.
    if (names instanceof ExpressionError) return this.failed(names);
    const { env } = this.environment;
    const absent = names.filter((name) => !hasName(env, name));
    const forbidden = absent.find((name) => requiresName(this.mode, name));
    if (forbidden !== undefined) {
      const name = this.mode.kind === "strict" ? longestNameWithin(forbidden, names) : forbidden;
      const reason = `failed to evaluate expression: ${name} is missing`;
      throw new TemplateError(reason, { place: this.placeOf(name, source), missingName: name });
    }
    const mayStay = absent.length > 0 || !this.isStrict();
    if (mayStay && absent.some((name) => LATE_NAMES.has(name))) return undefined;
    return this.evaluate(source, plain, mayStay);
  }

  private evaluate(source: string, plain: string, mayStay: boolean): string | undefined {
    let value: Value;
    try {
      const { env, compile } = this.environment;
      value = compile(source).run(env);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return mayStay && !error.isExhausted ? undefined : this.failed(error);
    }
    if (value === null) {
      if (mayStay || this.hasPlaceholder()) return undefined;
      throw new TemplateError(`failed to evaluate expression ${quote(plain)}`);
    }
    try {
      return textOfJson(toJsonText(value));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (mayStay) return undefined;
      throw new TemplateError(`failed to marshal evaluated expression: ${error.message}`, { cause: error });
    }
  }

  /**
   * Returns the position of a missing name in a pass that requires all names. Undefined in other passes: they are
   * repeated while a step waits for the name, and locating it takes time.
   */
  private placeOf(name: string, source: string): SourceLocation | undefined {
    if (this.mode.kind !== "all") return undefined;
    const found = findReferences(source).find((reference) => reference.name === name);
    const nearest = nearestName(name, this.scope.keys());
    const hint = nearest === undefined ? undefined : `did you mean ${nearest}?`;
    return found && { source, offset: found.position.offset, ...(hint && { hint }) };
  }

  private failed(error: ExpressionError): undefined {
    if (this.hasPlaceholder() && !error.isExhausted) return undefined;
    throw new TemplateError(`failed to evaluate expression: ${error.message}`, { cause: error });
  }

  private get environment() {
    if (this.built === undefined) {
      const env = environment(this.scope) as Record<string, Value>;
      this.built = { env, compile: compilerFor(env) };
    }
    return this.built;
  }

  private isStrict(): boolean {
    return this.mode.kind === "all" || (this.mode.kind === "strict" && this.mode.prefixes.length > 0);
  }

  /** Ignores values that are hidden by another one (`a` by `a.b`), because expressions cannot see them. */
  private hasPlaceholder(): boolean {
    return containsPlaceholder(this.environment.env);
  }
}

function containsPlaceholder(value: Value): boolean {
  if (Array.isArray(value)) return value.some(containsPlaceholder);
  return isPlainMap(value) ? Object.values(value).some(containsPlaceholder) : isPlaceholder(value);
}

/** Undoes JSON's escapes in a tag. A tag in bare text has no escapes, but must not contain an unescaped quote. */
function unescapeJson(text: string): string {
  const json = `"${text}"`;
  try {
    return String(JSON.parse(json));
  } catch (error) {
    const why = jsonSyntaxError(json) ?? (error as Error).message;
    throw new TemplateError(`failed to unmarshall JSON expression: ${why}`, { cause: error });
  }
}

/**
 * Strings are inserted without quotes, other values as their JSON text. This is why `{{=["<"]}}` shows `["\u003c"]`.
 */
function textOfJson(json: string): string {
  if (json.length > 1 && json.startsWith('"') && json.endsWith('"')) return json.slice(1, -1);
  return quote(json).slice(1, -1);
}

/** Cache of the names of expressions; its size is counted in characters of the sources. */
const nameCache = new TextCache<readonly string[] | ExpressionError>({ entries: 2_000, size: 1_000_000 });

/** Returns the names that an expression requires, or the error if it does not parse. Cached by source. */
function requiredNames(source: string): readonly string[] | ExpressionError {
  let names = nameCache.get(source);
  if (names === undefined) {
    nameCache.set(source, names = parseNames(source));
  }
  return names;
}

function parseNames(source: string): readonly string[] | ExpressionError {
  try {
    return findReferences(source).filter(({ optional }) => !optional).map(({ name }) => name);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
}

/** The longest name that begins with a missing one: `tasks.a.outputs.result` for `tasks`. */
function longestNameWithin(missing: string, names: readonly string[]): string {
  return names.reduce((prefix, name) => name.startsWith(`${prefix}.`) ? name : prefix, missing);
}

/** Reports whether an environment has a dotted name. A name with the value null is present. */
function hasName(env: Record<string, Value>, name: string): boolean {
  if (Object.hasOwn(env, name)) return true;
  let current: Value | undefined = env;
  for (const part of name.split(".")) {
    current = field(current, part);
    if (current === undefined) return false;
  }
  return true;
}

function field(value: Value | undefined, name: string): Value | undefined {
  if (value instanceof GoMap) return value.has(name) ? value.get(name) : undefined;
  if (value === undefined || value === null || !isPlainMap(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
