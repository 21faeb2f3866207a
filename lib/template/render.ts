/**
 * Fills in the tags of a text. The text is the inside of JSON, or bare text treated as if it were, because that is what
 * the peer does and users see: a value is written with its escapes, an expression is read without them.
 */
import { quote } from "../go/quote.ts";
import { trimSpace } from "../go/text.ts";
import { LIMITS } from "../limits.ts";
import { nearestName } from "../nearest_name.ts";
import { TemplateError } from "./error.ts";
import { isExpressionTag } from "./expression_switch.ts";
import { checkWholeTime } from "./expr/meter.ts";
import { ExpressionTags } from "./expression_tag.ts";
import { unescapeHtml } from "./json_text.ts";
import type { Place } from "./place.ts";
import { type PlannedText, unclosed } from "./plan.ts";
import { insistsOn, type Mode, type Scope } from "./scope.ts";
import { findTags, isClosed, type Segments } from "./tags.ts";

/**
 * Fills in the tags of a bare text.
 * @throws {TemplateError} where the mode forbids what cannot be resolved, and always for a `{{` that is never closed
 * and for an expression that cannot be parsed.
 */
export function renderText(text: string, scope: Scope, mode: Mode): string {
  return text.includes("{{") ? new Pass(scope, mode).render(text) : text;
}

/** Fills in a JSON document given as text; it must be JSON before and after, else a `TemplateError` is thrown. */
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

/** Parses what a pass made of JSON; some values, such as one with a bell in it, cannot stand in JSON and fail here. */
function parseFilled(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new TemplateError("cannot finish template replacement because the result was invalid JSON", { cause: error });
  }
}

/** Values whose own tags their author wrote: as those of a default that names another parameter. */
export type OpenValues = ReadonlyMap<string, PlannedText>;

/** The result of one pass over a text. */
export interface Filled {
  /** The text, as JSON or the inside of it. */
  readonly json: string;
  /** Whether any tag of it was filled in. */
  readonly isChanged: boolean;
  /** The same with the tags that are left; undefined where none is. */
  readonly rest: PlannedText | undefined;
}

/**
 * The replacement of a tag: a value, a text of the author's own with tags in it, or the tag itself for a later pass.
 */
type Piece =
  | { readonly kind: "value"; readonly text: string }
  | { readonly kind: "text"; readonly text: Segments }
  | { readonly kind: "tag"; readonly tag: string; readonly mask?: string | undefined }
  /**
   * A tag within a tag was filled in: the outer one begins before the value, and ends in the text behind it. `mask` is what
   * stands before with the values of earlier passes masked.
   */
  | { readonly kind: "nested"; readonly before: string; readonly mask: string; readonly text: string };

/** One pass over one thing. What the scope gives is looked up anew for each pass, never remembered. */
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

  /** Fills in a text of JSON or the inside of one; whether the result is JSON is not looked at. */
  render(text: string): string {
    return this.fill({ json: text, segments: findTags(text) }).json;
  }

  /** The same for a text that was cut before, and what is left to fill in. */
  fill({ json, segments: { texts, tags, masks } }: PlannedText): Filled {
    checkWholeTime();
    const pieces = tags.map((tag, index) => this.counted(this.piece(tag, masks?.[index]), texts[index + 1] ?? ""));
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
        left.masks.push(...piece.text.tags.map((_, at) => piece.text.masks?.[at]));
        left.texts.push(...others);
      }
      isChanged ||= piece.kind !== "tag" || piece.tag !== tags[index];
      add(texts[index + 1] ?? "");
    }
    if (!isChanged) return { json, isChanged, rest: { json, segments: { texts, tags, masks } } };
    const filled = left.texts.reduce((text, next, index) => `${text}{{${left.tags[index - 1]}}}${next}`);
    return { json: filled, isChanged, rest: left.tags.length === 0 ? undefined : { json: filled, segments: left } };
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

  /**
   * Ends the pass.
   * @throws {TemplateError} when some text was no JSON.
   */
  finish(): void {
    if (this.invalid) throw this.invalid;
  }

  private counted(piece: Piece, next: string): Piece {
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
        { missing: name },
      );
    }
    if (typeof value !== "string") throw new TemplateError(`failed to resolve {{${tag}}} to string`);
    const open = this.open.get(name);
    return open === undefined ? { kind: "value", text: escaped(value) } : { kind: "text", text: inside(open) };
  }

  /** `{{a.{{b}}}}` is found as the tag `a.{{b`: the inner one is filled in and the next pass sees `{{a.value}}`. */
  private nested(tag: string, mask = tag): Piece | undefined {
    const at = mask.lastIndexOf("{{");
    if (at <= 0) return undefined;
    const name = tag.slice(at + 2);
    const value = this.scope.get(name);
    if (value === null) {
      throw new TemplateError(`unable to substitute nested tag {{${tag}}}: "${name}" is an absent optional`, {
        missing: name,
      });
    }
    if (typeof value !== "string") return undefined;
    return { kind: "nested", before: tag.slice(0, at), mask: mask.slice(0, at), text: escaped(value) };
  }

  private unresolved(tag: string, mask: string | undefined, name: string): Piece {
    const mayBeArtifact = this.mode.kind !== "all" && name.includes(".outputs.artifacts.");
    if (insistsOn(this.mode, name) && !mayBeArtifact) {
      throw new TemplateError(`failed to resolve {{${tag}}}`, { place: this.nearest(tag, name), missing: name });
    }
    return { kind: "tag", tag, mask };
  }

  /** A slip of the pen, where nothing can come later that would explain the name. */
  private nearest(tag: string, name: string): Place | undefined {
    if (this.mode.kind !== "all") return undefined;
    const nearest = nearestName(name, this.scope.keys());
    if (nearest === undefined) return undefined;
    return { source: `{{${tag}}}`, offset: "{{".length, hint: `did you mean ${nearest}?` };
  }
}

const NONE: OpenValues = new Map();

/** The inside of a text in JSON. */
function inside({ segments: { texts, tags, masks } }: PlannedText): Segments {
  const opened = texts.map((text, index) => index === 0 ? text.slice(1) : text);
  return { texts: opened.map((text, index) => index === opened.length - 1 ? text.slice(0, -1) : text), tags, masks };
}

function lengthOf({ texts, tags }: Segments): number {
  return [...texts, ...tags].reduce((sum, { length }) => sum + length, 0);
}

/** Stands for a character of a value where tags are looked for, so that none is found in it. */
const MASK = "\0";

/** Puts the pieces between the texts, and finds the tags that this makes, past all values. */
function fillNested(texts: readonly string[], pieces: readonly Piece[]): Filled {
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
      for (const [at, text] of piece.text.texts.entries()) {
        if (at > 0) addTag(piece.text.tags[at - 1] ?? "", piece.text.masks?.[at - 1]);
        addValue(text);
      }
    } else {
      add(`{{${piece.before}`, `{{${piece.mask}`);
      addValue(piece.text);
    }
    add(texts[index + 1] ?? "");
  }
  if (!isClosed(masked)) return { json, isChanged: true, rest: unclosed(json) };
  const found = findTags(masked);
  let at = 0;
  const next = (length: number) => json.slice(at, at += length);
  const restTexts: string[] = [];
  const restTags: string[] = [];
  const masks = found.tags.map((tag) => tag.includes(MASK) ? tag : undefined);
  for (const [index, text] of found.texts.entries()) {
    if (index > 0) {
      at += "{{".length;
      restTags.push(next((found.tags[index - 1] ?? "").length));
      at += "}}".length;
    }
    restTexts.push(next(text.length));
  }
  const rest = restTags.length === 0 ? undefined : { json, segments: { texts: restTexts, tags: restTags, masks } };
  return { json, isChanged: true, rest };
}

/** The inside of a quoted text. Go's quoting is not quite JSON's: a value with a bell or an escape makes no JSON. */
function escaped(value: string): string {
  return quote(value).slice(1, -1);
}
