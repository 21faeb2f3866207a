/**
 * Fills in the tags of a text. The text is the inside of JSON, or bare text treated as if it were, because that is what
 * the peer does and users see: a value is written with its escapes, an expression is read without them.
 */
import { quote } from "../go/quote.ts";
import { trimSpace } from "../go/text.ts";
import { nearestName } from "../nearest_name.ts";
import { TemplateError } from "./error.ts";
import { ExpressionTags } from "./expression_tag.ts";
import type { Place } from "./place.ts";
import { insistsOn, type Mode, type Scope } from "./scope.ts";
import { findTags, type Segments } from "./tags.ts";

/** Settings of the language. */
export interface RenderOptions {
  /** False turns `{{=…}}` into a simple tag, as `EXPRESSION_TEMPLATES=false` does. */
  readonly expressions?: boolean;
}

/**
 * Fills in the tags of a bare text. Throws a `TemplateError` where the mode forbids what cannot be resolved, and always
 * for a `{{` that is never closed and for an expression that cannot be parsed.
 */
export function renderText(text: string, scope: Scope, mode: Mode, options?: RenderOptions): string {
  return text.includes("{{") ? new Pass(scope, mode, options).render(text) : text;
}

/** Fills in a JSON document given as text; it must be JSON before and after, else a `TemplateError` is thrown. */
export function renderDocument(json: string, scope: Scope, mode: Mode, options?: RenderOptions): string {
  if (!isJson(json)) throw new TemplateError("cannot do template replacements with invalid JSON");
  const filled = new Pass(scope, mode, options).render(json);
  if (filled !== json) parseFilled(filled);
  return filled;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Parses what a pass made of JSON; some values, such as one with a bell in it, cannot stand in JSON and fail here. */
function parseFilled(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new TemplateError("cannot finish template replacement because the result was invalid JSON", { cause: error });
  }
}

/** One pass over one thing. What the scope gives is looked up anew for each pass, never remembered. */
export class Pass {
  private readonly expressions: ExpressionTags;
  private invalid: TemplateError | undefined;

  constructor(
    private readonly scope: Scope,
    private readonly mode: Mode,
    private readonly options: RenderOptions = {},
  ) {
    this.expressions = new ExpressionTags(scope, mode);
  }

  /** Fills in a text of JSON or the inside of one; whether the result is JSON is not looked at. */
  render(text: string): string {
    return this.fill(findTags(text));
  }

  /** The same for a text that was cut before. */
  fill({ texts, tags }: Segments): string {
    let filled = texts[0];
    for (let index = 0; index < tags.length; index++) filled += this.value(tags[index]) + texts[index + 1];
    return filled;
  }

  /** Parses a filled text. One that is no JSON makes `finish` throw: a tag that cannot be resolved comes before it. */
  parse(json: string): unknown {
    try {
      return parseFilled(json);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      this.invalid ??= error;
    }
  }

  /** Ends the pass. Throws a `TemplateError` when some text was no JSON. */
  finish(): void {
    if (this.invalid) throw this.invalid;
  }

  private value(tag: string): string {
    const isExpression = tag.startsWith("=") && this.options.expressions !== false;
    return isExpression ? this.expressions.value(tag.slice(1)) : this.simple(tag);
  }

  private simple(tag: string): string {
    const name = trimSpace(tag);
    const value = this.scope.get(name);
    if (value === undefined) return this.nested(tag) ?? this.unresolved(tag, name);
    if (value === null) {
      throw new TemplateError(
        `unable to substitute {{${tag}}}: output is an absent optional (skipped/omitted node with no default)`,
      );
    }
    if (typeof value !== "string") throw new TemplateError(`failed to resolve {{${tag}}} to string`);
    return escaped(value);
  }

  /** `{{a.{{b}}}}` is found as the tag `a.{{b`: the inner one is filled in and the next pass sees `{{a.value}}`. */
  private nested(tag: string): string | undefined {
    const at = tag.lastIndexOf("{{");
    if (at <= 0) return undefined;
    const name = tag.slice(at + 2);
    const value = this.scope.get(name);
    if (value === null) {
      throw new TemplateError(`unable to substitute nested tag {{${tag}}}: "${name}" is an absent optional`);
    }
    return typeof value === "string" ? `{{${tag.slice(0, at)}${escaped(value)}` : undefined;
  }

  private unresolved(tag: string, name: string): string {
    const mayBeArtifact = this.mode.kind !== "all" && name.includes(".outputs.artifacts.");
    if (insistsOn(this.mode, name) && !mayBeArtifact) {
      throw new TemplateError(`failed to resolve {{${tag}}}`, { place: this.nearest(tag, name) });
    }
    return `{{${tag}}}`;
  }

  /** A slip of the pen, where nothing can come later that would explain the name. */
  private nearest(tag: string, name: string): Place | undefined {
    if (this.mode.kind !== "all") return undefined;
    const nearest = nearestName(name, this.scope.keys());
    if (nearest === undefined) return undefined;
    return { source: `{{${tag}}}`, offset: "{{".length, hint: `did you mean ${nearest}?` };
  }
}

/** The inside of a quoted text. Go's quoting is not quite JSON's: a value with a bell or an escape makes no JSON. */
function escaped(value: string): string {
  return quote(value).slice(1, -1);
}
