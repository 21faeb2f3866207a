/** Letter case: titles, swapped case, snake, kebab and camel. */
import { isSpace, lowerCharacter, upperCharacter } from "@tiphys/base/go";

const UPPER = /^\p{Lu}$/u;
const LOWER = /^\p{Ll}$/u;
const NUMBER = /^\p{N}$/u;
const PUNCTUATION = /^\p{P}$/u;
const CASED = /^[\p{Lu}\p{Ll}\p{Lt}]$/u;

/** Like `strings.Title`: capitalizes every word. A word is a run of letters, digits, `_` and `'`. */
export function titleCase(text: string): string {
  let previous = " ";
  let out = "";
  for (const character of text) {
    out += isSeparator(previous) ? titleCharacter(character) : character;
    previous = character;
  }
  return out;
}

function isSeparator(character: string): boolean {
  if (character <= "\x7f") return !/[A-Za-z0-9_]/.test(character);
  return !/^[\p{L}\p{Nd}]$/u.test(character) && isSpace(character);
}

/** Characters whose title case differs from their upper case. */
const TITLES = new Map(
  Object.entries({ "Ǆǅǆ": "ǅ", "Ǉǈǉ": "ǈ", "Ǌǋǌ": "ǋ", "Ǳǲǳ": "ǲ" }).flatMap(([forms, title]) =>
    Array.from(forms, (form): [string, string] => [form, title])
  ),
);

/** Georgian has capitals for headlines only; words do not begin with one. */
const GEORGIAN = /^[\u10d0-\u10ff]$/;

function titleCharacter(character: string): string {
  return TITLES.get(character) ?? (GEORGIAN.test(character) ? character : upperCharacter(character));
}

/** Lowercases the first letter after every blank. */
export function uncapitalize(text: string): string {
  let next = true;
  let out = "";
  for (const character of text) {
    if (isSpace(character)) {
      next = true;
      out += character;
    } else {
      out += next ? lowerCharacter(character) : character;
      next = false;
    }
  }
  return out;
}

/** Swaps upper and lower case. A lower-case letter that begins a word becomes title case. */
export function swapCase(text: string): string {
  let beginsWord = true;
  let out = "";
  for (const character of text) {
    const isCased = CASED.test(character);
    if (!LOWER.test(character)) out += isCased ? lowerCharacter(character) : character;
    else out += beginsWord ? titleCharacter(character) : upperCharacter(character);
    beginsWord = !isCased && isSpace(character);
  }
  return out;
}

function isConnector(character: string): boolean {
  return character === "-" || character === "_" || isSpace(character);
}

/**
 * Turns `http_server` into `HttpServer`. Leading connectors are kept; a text of connectors has its last one doubled.
 */
export function camelCase(text: string): string {
  const characters = [...text];
  const start = run(characters, 0, isConnector);
  const [first, ...rest] = characters.slice(start);
  if (first === undefined) return text + (characters.at(-1) ?? "");
  let out = characters.slice(0, start).join("");
  // A run of capitals is one word: all but the first become lower case.
  let shrinking = UPPER.test(first);
  let current = upperCharacter(first);
  for (const next of rest) {
    const previous = current;
    current = next;
    if (isConnector(current) && isConnector(previous)) {
      out += previous;
      continue;
    }
    if (isConnector(previous)) {
      shrinking = UPPER.test(current);
      current = upperCharacter(current);
      continue;
    }
    if (shrinking) {
      if (UPPER.test(current)) current = lowerCharacter(current);
      else shrinking = false;
    }
    out += previous;
  }
  return out + current;
}

/** `FirstName` to `first_name`. */
export function snakeCase(text: string): string {
  return joinWords(text, "_");
}

/** `FirstName` to `first-name`. */
export function kebabCase(text: string): string {
  return joinWords(text, "-");
}

type WordKind = "number" | "upper" | "alphabet" | "connector" | "punctuation" | "other" | "none";

interface Word {
  readonly kind: WordKind;
  readonly text: string;
}

function isAlphabet(character: string): boolean {
  return CASED.test(character) ||
    /^[\p{Lm}\p{Lo}]$/u.test(character) && /^\p{Alphabetic}$/u.test(character) && isPhonetic(character);
}

/** Whether a character is from a phonetic script; ideographs form words of a different kind. */
function isPhonetic(character: string): boolean {
  return !/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u.test(character);
}

function wordsOf(text: string): Word[] {
  const characters = [...text];
  const words: Word[] = [];
  for (let offset = 0; offset < characters.length;) {
    const word = wordAt(characters, offset);
    words.push(word);
    offset += [...word.text].length;
  }
  return words;
}

function run(characters: readonly string[], from: number, belongs: (character: string) => boolean): number {
  for (let index = from;; index++) {
    const character = characters[index];
    if (character === undefined || !belongs(character)) return index;
  }
}

function wordAt(characters: readonly string[], offset: number): Word {
  const first = characters[offset] ?? "";
  const word = (kind: WordKind, end: number): Word => ({ kind, text: characters.slice(offset, end).join("") });
  const small = (character: string) => isAlphabet(character) && !UPPER.test(character);
  if (isConnector(first)) return word("connector", run(characters, offset, isConnector));
  if (PUNCTUATION.test(first)) {
    return word(
      "punctuation",
      run(characters, offset, (character) => PUNCTUATION.test(character)),
    );
  }
  if (UPPER.test(first)) {
    const capitals = run(characters, offset, (character) => UPPER.test(character));
    if (capitals - offset > 1) {
      // The last capital of "HTTPStatus" begins the next word.
      const next = characters[capitals];
      return word("upper", next !== undefined && isAlphabet(next) ? capitals - 1 : capitals);
    }
    return word("upper", run(characters, offset + 1, small));
  }
  if (isAlphabet(first)) return word("alphabet", run(characters, offset, small));
  if (NUMBER.test(first)) return word("number", run(characters, offset, (character) => NUMBER.test(character)));
  const other = (character: string) =>
    !(isConnector(character) || isAlphabet(character) || NUMBER.test(character) || PUNCTUATION.test(character));
  return word("other", run(characters, offset, other));
}

function joinWords(text: string, connector: string): string {
  if (text === "") return "";
  const words = wordsOf(text);
  const none: Word = { kind: "none", text: "" };
  let offset = 0;
  let out = "";
  const take = () => words[offset++] ?? none;
  const put = (word: Word) => {
    if (word.kind !== "upper" && word.kind !== "connector") out += word.text;
    else {for (const character of word.text) {
        out += isConnector(character) ? connector : UPPER.test(character) ? lowerCharacter(character) : character;
      }}
  };
  const separates = (word: Word) => word.kind !== "connector" && word.kind !== "punctuation";
  let word = take();
  while (offset < words.length) {
    if (word.kind !== "connector") put(word);
    const previous = word;
    word = take();
    if (previous.kind === "number") {
      while (word.kind === "alphabet" || word.kind === "number") {
        put(word);
        word = take();
      }
      if (word.kind !== "none" && separates(word)) out += connector;
    } else if (previous.kind === "connector") put(previous);
    else if (previous.kind !== "punctuation") word = afterWord(word);
  }
  put(word);
  return out;

  /** A number belongs to the word before it, unless small letters follow: `HTTP2xx` is `http_2xx`. */
  function afterWord(next: Word): Word {
    if (next.kind !== "number") {
      if (separates(next)) out += connector;
      return next;
    }
    if (offset >= words.length) return next;
    let following = take();
    if (following.kind !== "alphabet") {
      put(next);
      if (separates(following)) out += connector;
      return following;
    }
    out += connector;
    put(next);
    while (following.kind === "alphabet" || following.kind === "number") {
      put(following);
      following = take();
    }
    if (following.kind !== "none" && separates(following)) out += connector;
    return following;
  }
}
