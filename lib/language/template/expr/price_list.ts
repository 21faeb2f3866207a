/** The prices of all functions by name: builtins, Argo's functions, and sprig's. */
import type { GoFunction, Value } from "@tiphys/base/go";
import type { Budget } from "./budget.ts";
import { byDepth, byLength, bySearch, bySorting, elementsMade, fixed, LONG_NUMBER, type Price } from "./prices.ts";

const MICROSECOND = 1_000;
const MILLISECOND = 1_000_000;

/** The price of a function that takes the same short time for all operands. */
const CHEAP = fixed();
/** Price of one pass over texts with the host's own functions, or over a list. */
const SCAN = byLength(20);
/** Price of one pass over texts, character by character. */
const CHARACTERS = byLength(150);
/** Price of processing each character many times, or of arithmetic with it. */
const LABOUR = byLength(600);
/** Price of serializing values of any depth. */
const WRITE = byDepth(60);
/** Price of decoding. An error costs the same again, however short the text is. */
const decoding = (nanoseconds: number): Price => (args, budget, name) => {
  fixed(10 * MICROSECOND)(args, budget, name);
  byLength(nanoseconds)(args, budget, name);
};
/** Price of parsing or formatting a date: each letter of its layout is a step. */
const DATE: Price = (args, budget, name) => {
  fixed(150 * MICROSECOND)(args, budget, name);
  byLength(1_500)(args, budget, name);
};
const ARITHMETIC: Price = byLength(LONG_NUMBER);
const VERSIONS: Price = fixed(50 * MICROSECOND);
const DECIMALS: Price = (args, budget, name) => budget.spend(args.length * 40 * MICROSECOND, name);
/** Regular expressions charge for the characters that they read: `regex.ts`. */
const PATTERN = SCAN;

/** Price of signing with a key of the caller: the cube of the key's length, which is estimated from its PEM text. */
const SIGN: Price = (args, budget, name) => {
  LABOUR(args.filter((arg) => typeof arg === "string" || Array.isArray(arg)), budget, name);
  const lists = args.filter((arg) => Array.isArray(arg)).reduce((sum, list) => sum + (list as unknown[]).length, 0);
  const longest = Math.max(0, ...args.map((arg) => (typeof arg === "string" ? arg.length : 0)));
  budget.spend(20 * MILLISECOND + lists * 15 * MICROSECOND + 200 * MILLISECOND * (longest / 3_200) ** 3, name);
};
/** Price of making an RSA key of 2,048 bits, and signing with it. */
const NEW_CERTIFICATE: Price = (args, budget, name) => {
  budget.spend(250 * MILLISECOND, name);
  SIGN(args, budget, name);
};
const NEW_KEY: Price = ([kind], budget, name) => {
  const isQuick = kind === "ecdsa" || kind === "ed25519";
  budget.spend(isQuick ? 10 * MILLISECOND : 1_000 * MILLISECOND, name);
};

/** Prices of the functions that every expression can call by name. Those with predicates are charged per call of it. */
export const BUILTIN_PRICES: Readonly<Record<string, Price>> = {
  ...all(
    CHEAP,
    "abs ceil floor round bitand bitor bitxor bitnand bitshl bitshr bitushr bitnot type first last",
  ),
  ...all(SCAN, "trimPrefix trimSuffix hasPrefix hasSuffix take repeat join reverse concat"),
  ...all(byLength(100), "len keys values toPairs fromPairs"),
  ...all(CHARACTERS, "trim upper lower int float toBase64 fromBase64"),
  ...all(bySearch(0, 1, 100), "split splitAfter"),
  replace: bySearch(0, 1, 100),
  indexOf: bySearch(0, 1, 5),
  lastIndexOf: bySearch(0, 1, 5),
  get: SCAN,
  ...all(WRITE, "string toJSON"),
  fromJSON: decoding(60),
  flatten: byDepth(20),
  ...all(byDepth(40), "max min mean"),
  ...all(bySorting, "median sort"),
  // Comparisons charge themselves: `operators.ts`.
  uniq: byLength(200),
  now: CHEAP,
  ...all(DATE, "date"),
  duration: decoding(600),
  timezone: fixed(100 * MICROSECOND),
};

/** Prices of Argo's functions. */
export const ARGO_PRICES: Readonly<Record<string, Price>> = {
  ...all(CHARACTERS, "asInt asFloat"),
  toJson: WRITE,
  // Paths charge for their steps: `jsonpath/`.
  jsonpath: byLength(100),
};

/** Prices of sprig's functions. */
export const SPRIG_PRICES: Readonly<Record<string, Price>> = {
  ...all(
    CHEAP,
    "hello plural now ternary fail typeOf typeIs typeIsLike kindOf kindIs hasKey list tuple " +
      "first mustFirst last mustLast unixEpoch isAbs osIsAbs",
  ),
  ...all(SCAN, "hasPrefix hasSuffix trimSuffix trimPrefix regexQuoteMeta"),
  ...all(byLength(30), "push mustPush append mustAppend prepend mustPrepend rest mustRest initial mustInitial"),
  ...all(byLength(30), "reverse mustReverse slice mustSlice concat"),
  ...all(byLength(100), "default coalesce empty all any keys values get pluck dig pick"),
  ...all(byLength(500), "chunk mustChunk"),
  ...all(byDepth(40), "compact mustCompact"),
  omit: byLength(500),
  ...all(CHARACTERS, "abbrev abbrevboth trunc trim upper lower untitle substr trimall trimAll b64enc b32enc"),
  ...all(CHARACTERS, "repeat indent nindent base osBase dir osDir clean osClean ext osExt adler32sum"),
  ...all(LABOUR, "title nospace initials swapcase snakecase camelcase kebabcase wrap wrapWith shuffle urlParse"),
  urlJoin: byDepth(600),
  ...all(LABOUR, "sha1sum sha256sum sha512sum encryptAES decryptAES"),
  ...all(decoding(150), "b64dec b32dec"),
  contains: bySearch(1, 0),
  replace: bySearch(2, 0, 100),
  split: bySearch(1, 0, 500),
  splitList: bySearch(1, 0, 100),
  splitn: bySearch(2, 0, 500),
  ...all(WRITE, "quote squote cat toString toStrings join deepCopy mustDeepCopy dict"),
  ...all(WRITE, "toJson mustToJson toPrettyJson mustToPrettyJson toRawJson mustToRawJson"),
  ...all(decoding(60), "fromJson mustFromJson"),
  // Comparisons charge themselves: `operators.ts`.
  deepEqual: CHEAP,
  ...all(byLength(200), "has mustHas without mustWithout uniq mustUniq"),
  sortAlpha: bySorting,
  ...all(byDepth(100), "merge mustMerge mergeOverwrite mustMergeOverwrite"),
  // `set` and `unset` charge themselves for the map that they copy.
  ...all(CHEAP, "set unset"),
  ...all(ARITHMETIC, "atoi int int64 float64 add add1 sub div mod mul max biggest min"),
  ...all(ARITHMETIC, "maxf minf ceil floor round seq until untilStep"),
  toDecimal: WRITE,
  ...all(DECIMALS, "addf add1f subf mulf divf"),
  ...all(DATE, "date dateInZone date_in_zone htmlDate htmlDateInZone toDate mustToDate"),
  ...all(decoding(600), "dateModify date_modify mustDateModify must_date_modify ago duration durationRound"),
  ...all(PATTERN, "regexMatch mustRegexMatch regexFind mustRegexFind regexFindAll mustRegexFindAll regexReplaceAll"),
  ...all(PATTERN, "mustRegexReplaceAll regexReplaceAllLiteral mustRegexReplaceAllLiteral regexSplit mustRegexSplit"),
  ...all(VERSIONS, "semver semverCompare"),
  ...all(fixed(150 * MILLISECOND), "bcrypt htpasswd"),
  derivePassword: fixed(600 * MILLISECOND),
  // Random texts charge themselves for their length.
  ...all(CHEAP, "randAlpha randAlphaNum randNumeric randAscii randBytes"),
  randInt: fixed(2 * MICROSECOND),
  uuidv4: fixed(8 * MICROSECOND),
  genPrivateKey: NEW_KEY,
  buildCustomCert: LABOUR,
  ...all(NEW_CERTIFICATE, "genCA genSelfSignedCert genSignedCert"),
  ...all(SIGN, "genCAWithKey genSelfSignedCertWithKey genSignedCertWithKey"),
  getHostByName: fixed(100 * MILLISECOND),
};

/** Functions whose result is a list or map that they created. */
const MAKERS = new Set(
  ("toStrings split splitn splitList seq until untilStep list tuple push mustPush append mustAppend prepend mustPrepend " +
    "rest mustRest initial mustInitial reverse mustReverse compact mustCompact uniq mustUniq without mustWithout slice " +
    "mustSlice chunk mustChunk concat sortAlpha dict pluck keys values pick omit merge mustMerge mergeOverwrite " +
    "mustMergeOverwrite deepCopy mustDeepCopy fromJson mustFromJson regexFindAll mustRegexFindAll regexSplit " +
    "mustRegexSplit jsonpath").split(" "),
);
/** Builtins of this kind that do not charge for it themselves. */
const BUILTIN_MAKERS = new Set("split splitAfter keys values toPairs fromPairs take uniq fromJSON".split(" "));

function all(price: Price, names: string): Record<string, Price> {
  return Object.fromEntries(names.split(" ").map((name) => [name, price]));
}

/** The terms of a call: its price, and whether the elements of its result are charged in addition. */
export interface Terms {
  readonly name: string;
  readonly price: Price;
  readonly makes: boolean;
}

/**
 * Returns the price of a function.
 * @throws {Error} when it has no price, which is a bug.
 */
function priceOf(prices: Readonly<Record<string, Price>>, name: string, fullName: string): Price {
  const price = Object.hasOwn(prices, name) ? prices[name] : undefined;
  if (price === undefined) throw new Error(`The function ${fullName} has no price`);
  return price;
}

/** The terms of a builtin. */
export function builtinTerms(name: string): Terms {
  return { name, price: priceOf(BUILTIN_PRICES, name, name), makes: BUILTIN_MAKERS.has(name) };
}

const TERMS = new WeakMap<GoFunction, Terms>();

/**
 * Records the price of each function.
 * @throws {Error} for a function without a price, which is a bug.
 */
export function setPrices(
  functions: Readonly<Record<string, GoFunction>>,
  prices: Readonly<Record<string, Price>>,
  prefix = "",
): void {
  for (const [name, one] of Object.entries(functions)) {
    const price = priceOf(prices, name, prefix + name);
    if (!TERMS.has(one)) TERMS.set(one, { name: prefix + name, price, makes: MAKERS.has(name) });
  }
}

/** Methods of times and durations. */
const METHOD: Terms = { name: "a method", price: byLength(1_500), makes: false };

/** Runs a call. Charges for it before, and for the elements that it created after. */
export function charged(terms: Terms, args: readonly Value[], budget: Budget, call: () => Value): Value {
  terms.price(args, budget, terms.name);
  const result = call();
  if (terms.makes && !args.includes(result)) elementsMade(result, budget);
  return result;
}

/** The terms of a function value. */
export function termsOf(callee: GoFunction): Terms {
  return TERMS.get(callee) ?? METHOD;
}
