/**
 * Fills in the tags of a text. The text is the inside of a JSON string, or bare text that is treated like one, because
 * Argo Workflows does so and users see the result: a value is inserted with JSON escapes, and an expression is read
 * without them.
 */
import { quote } from "@tiphys/base/go/quote";
import { trimSpace } from "@tiphys/base/go/text";
import { LIMITS } from "@tiphys/base/limits";
import { nearestName } from "@tiphys/base/nearest_name";
import { TemplateError } from "./error.ts";
import { isExpressionTag } from "./expression_switch.ts";
import { checkWholeTime } from "./expr/meter.ts";
import { ExpressionTags } from "./expression_tag.ts";
import { unescapeHtml } from "./json_text.ts";
import type { SourceLocation } from "./place.ts";
import { type PlannedText, unclosedText } from "./plan.ts";
import { type Mode, requiresName, type Scope } from "./scope.ts";
import { findTags, isClosed, type Segments } from "./tags.ts";

/**
 * Fills in the tags of a bare text.
 * @throws {TemplateError} when the mode rejects an unresolved name, and always for an unclosed `{{` and for an
 * expression that does not parse.
 */
export function renderText(text: string, scope: Scope, mode: Mode): string {
  return text.includes("{{") ? new Pass(scope, mode).render(text) : text;
}

/**
 * Fills in a JSON document given as text.
 * @throws {TemplateError} unless the text is valid JSON before and after.
 */
export function renderDocument(json: string, scope: Scope, mode: Mode): string {
  if (!isJson(json)) throw new TemplateError("cannot do template replacements with invalid JSON");
  const filled = new Pass(scope, mode).render(json);
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

/**
 * Parses filled-in JSON. Fails for values that Go's quoting does not write as valid JSON, such as one with a bell
 * character.
 */
function parseFilled(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new TemplateError("cannot finish template replacement because the result was invalid JSON", { cause: error });
  }
}

/** Values with tags that their author wrote, such as a default that refers to another parameter. */
export type OpenValues = ReadonlyMap<string, PlannedText>;

/** The result of one pass over a text. */
export interface FillResult {
  /** The filled-in text, as JSON or the inside of a JSON string. */
  readonly json: string;
  /** Whether any tag was filled in. */
  readonly isChanged: boolean;
  /** The text with its remaining tags; undefined if none remain. */
  readonly remaining: PlannedText | undefined;
}

/** The replacement of a tag: a value, author's text that has tags itself, or the tag itself, kept for a later pass. */
type Piece =
  | { readonly kind: "value"; readonly text: string }
  | { readonly kind: "text"; readonly text: Segments }
  | { readonly kind: "tag"; readonly tag: string; readonly mask?: string | undefined }
  /**
   * A tag within a tag was filled in: the outer tag begins before the value and ends in the text after it. `mask` is
   * the text before it with the values of earlier passes masked.
   */
  | { readonly kind: "nested"; readonly before: string; readonly mask: string; readonly text: string };

/** One pass over one object. Values are looked up again in each pass and are not cached. */
export class Pass {
  private readonly expressions: ExpressionTags;
  private characters = 0;
  private invalid: TemplateError | undefined;

  constructor(
    private readonly scope: Scope,
    private readonly mode: Mode,
    private readonly open: OpenValues = NONE,
  ) {
    this.expressions = new ExpressionTags(scope, mode);
  }

  /** Fills in a JSON text or the inside of one. Does not check whether the result is valid JSON. */
  render(text: string): string {
    return this.fill({ json: text, segments: findTags(text) }).json;
  }

  /** Fills in a text that is already split, and returns the remaining tags. */
  fill({ json, segments: { texts, tags, masks } }: PlannedText): FillResult {
    checkWholeTime();
    const pieces = tags.map((tag, index) => this.countedPiece(this.piece(tag, masks?.[index]), texts[index + 1] ?? ""));
    if (pieces.some(({ kind }) => kind === "nested")) return fillNested(texts, pieces);
    const left = { texts: texts.slice(0, 1), tags: new Array<string>(), masks: new Array<string | undefined>() };
    const add = (text: string) => left.texts.push(left.texts.pop() + text);
    let isChanged = false;
    for (const [index, piece] of pieces.entries()) {
      if (piece.kind === "value") add(piece.text);
      else if (piece.kind === "tag") {
        left.tags.push(piece.tag);
        left.masks.push(piece.mask);
        left.texts.push("");
      } else if (piece.kind === "text") {
        const [first = "", ...others] = piece.text.texts;
        add(first);
        left.tags.push(...piece.text.tags);
        left.masks.push(...piece.text.tags.map((_, i) => piece.text.masks?.[i]));
        left.texts.push(...others);
      }
      isChanged ||= piece.kind !== "tag" || piece.tag !== tags[index];
      add(texts[index + 1] ?? "");
    }
    if (!isChanged) return { json, isChanged, remaining: { json, segments: { texts, tags, masks } } };
    const filled = left.texts.reduce((text, next, index) => `${text}{{${left.tags[index - 1]}}}${next}`);
    return {
      json: filled,
      isChanged,
      remaining: left.tags.length === 0 ? undefined : { json: filled, segments: left },
    };
  }

  /**
   * Parses a filled-in text. If it is invalid JSON, the error is deferred to `finish`, because unresolved tags take
   * precedence.
   */
  parse(json: string): unknown {
    try {
      return parseFilled(json);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      this.invalid ??= error;
    }
  }

  /**
   * Ends the pass.
   * @throws {TemplateError} when a text was not valid JSON.
   */
  finish(): void {
    if (this.invalid) throw this.invalid;
  }

  private countedPiece(piece: Piece, next: string): Piece {
    const own = piece.kind === "tag"
      ? piece.tag.length
      : piece.kind === "text"
      ? lengthOf(piece.text)
      : piece.text.length;
    this.count(own + next.length);
    return piece;
  }

  private count(characters: number): void {
    this.characters += characters;
    if (this.characters <= LIMITS.filledCharacters) return;
    throw new TemplateError(`filling in the tags of one object may make ${LIMITS.filledCharacters} characters`);
  }

  private piece(tag: string, mask: string | undefined): Piece {
    if (!isExpressionTag(tag)) return this.simple(tag, mask);
    const text = this.expressions.value(tag.slice(1));
    return text === undefined ? { kind: "tag", tag: `=${unescapeHtml(tag.slice(1))}` } : { kind: "value", text };
  }

  private simple(tag: string, mask: string | undefined): Piece {
    const name = trimSpace(tag);
    const value = this.scope.get(name);
    if (value === undefined) return this.nested(tag, mask) ?? this.unresolved(tag, mask, name);
    if (value === null) {
      throw new TemplateError(
        `unable to substitute {{${tag}}}: output is an absent optional (skipped/omitted node with no default)`,
        { missingName: name },
      );
    }
    if (typeof value !== "string") throw new TemplateError(`failed to resolve {{${tag}}} to string`);
    const open = this.open.get(name);
    return open === undefined
      ? { kind: "value", text: escapeJson(value) }
      : { kind: "text", text: withoutQuotes(open) };
  }

  /**
   * Resolves a tag within a tag. `{{a.{{b}}}}` is found as the tag `a.{{b`: the inner tag is filled in, and the next
   * pass sees `{{a.value}}`.
   */
  private nested(tag: string, mask = tag): Piece | undefined {
    const index = mask.lastIndexOf("{{");
    if (index <= 0) return undefined;
    const name = tag.slice(index + 2);
    const value = this.scope.get(name);
    if (value === null) {
      throw new TemplateError(`unable to substitute nested tag {{${tag}}}: "${name}" is an absent optional`, {
        missingName: name,
      });
    }
    if (typeof value !== "string") return undefined;
    return { kind: "nested", before: tag.slice(0, index), mask: mask.slice(0, index), text: escapeJson(value) };
  }

  private unresolved(tag: string, mask: string | undefined, name: string): Piece {
    const mayBeArtifact = this.mode.kind !== "all" && name.includes(".outputs.artifacts.");
    if (requiresName(this.mode, name) && !mayBeArtifact) {
      throw new TemplateError(`failed to resolve {{${tag}}}`, { place: this.nearest(tag, name), missingName: name });
    }
    return { kind: "tag", tag, mask };
  }

  /** Suggests the nearest known name, in a mode in which the name cannot get a value later. */
  private nearest(tag: string, name: string): SourceLocation | undefined {
    if (this.mode.kind !== "all") return undefined;
    const nearest = nearestName(name, this.scope.keys());
    if (nearest === undefined) return undefined;
    return { source: `{{${tag}}}`, offset: "{{".length, hint: `did you mean ${nearest}?` };
  }
}

const NONE: OpenValues = new Map();

/** Removes the quotes of a JSON string. */
function withoutQuotes({ segments: { texts, tags, masks } }: PlannedText): Segments {
  const opened = texts.map((text, index) => index === 0 ? text.slice(1) : text);
  return { texts: opened.map((text, index) => index === opened.length - 1 ? text.slice(0, -1) : text), tags, masks };
}

function lengthOf({ texts, tags }: Segments): number {
  return [...texts, ...tags].reduce((sum, { length }) => sum + length, 0);
}

/** Masks a character of a value when tags are searched, so that no tag is found in a value. */
const MASK = "\0";

/** Joins the texts and pieces, and finds the tags that result, ignoring the content of values. */
function fillNested(texts: readonly string[], pieces: readonly Piece[]): FillResult {
  let [json = ""] = texts;
  let masked = json;
  const add = (text: string, mask = text) => {
    json += text;
    masked += mask;
  };
  const addValue = (text: string) => add(text, MASK.repeat(text.length));
  const addTag = (tag: string, mask = tag) => add(`{{${tag}}}`, `{{${mask}}}`);
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === "value") addValue(piece.text);
    else if (piece.kind === "tag") addTag(piece.tag, piece.mask);
    else if (piece.kind === "text") {
      for (const [position, text] of piece.text.texts.entries()) {
        if (position > 0) addTag(piece.text.tags[position - 1] ?? "", piece.text.masks?.[position - 1]);
        addValue(text);
      }
    } else {
      add(`{{${piece.before}`, `{{${piece.mask}`);
      addValue(piece.text);
    }
    add(texts[index + 1] ?? "");
  }
  if (!isClosed(masked)) return { json, isChanged: true, remaining: unclosedText(json) };
  const found = findTags(masked);
  let offset = 0;
  const next = (length: number) => json.slice(offset, offset += length);
  const restTexts: string[] = [];
  const restTags: string[] = [];
  const masks = found.tags.map((tag) => tag.includes(MASK) ? tag : undefined);
  for (const [index, text] of found.texts.entries()) {
    if (index > 0) {
      offset += "{{".length;
      restTags.push(next((found.tags[index - 1] ?? "").length));
      offset += "}}".length;
    }
    restTexts.push(next(text.length));
  }
  const rest = restTags.length === 0 ? undefined : { json, segments: { texts: restTexts, tags: restTags, masks } };
  return { json, isChanged: true, remaining: rest };
}

/**
 * Returns the inside of a quoted text. Go's quoting differs from JSON's: a value with a bell or escape character
 * results in invalid JSON.
 */
function escapeJson(value: string): string {
  return quote(value).slice(1, -1);
}
