/** The prices of all functions by name: builtins, Argo's functions, and sprig's. */
import type { GoFunction, Value } from "@tiphys/base/go";
import type { Budget } from "./budget.ts";
import { byDepth, byLength, bySearch, bySorting, chargeNewElements, DIGIT_COST, fixed, type Price } from "./prices.ts";

const MICROSECOND = 1_000;
const MILLISECOND = 1_000_000;

/** The price of a function that takes the same short time for all operands. */
const CHEAP = fixed();
/** Price of one pass over texts with the host's own functions, or over a list. */
const SCAN_PRICE = byLength(20);
/** Price of one pass over texts, character by character. */
const PER_CHARACTER = byLength(150);
/** Price of processing each character many times, or of arithmetic on each character. */
const HEAVY_PER_CHARACTER = byLength(600);
/** Price of serializing values of any depth. */
const SERIALIZE = byDepth(60);
/** Price of decoding. An error costs the same again, however short the text is. */
const decodingPrice = (nanoseconds: number): Price => (args, budget, name) => {
  fixed(10 * MICROSECOND)(args, budget, name);
  byLength(nanoseconds)(args, budget, name);
};
/** Price of parsing or formatting a date: each letter of its layout is a step. */
const DATE_PRICE: Price = (args, budget, name) => {
  fixed(150 * MICROSECOND)(args, budget, name);
  byLength(1_500)(args, budget, name);
};
const ARITHMETIC_PRICE: Price = byLength(DIGIT_COST);
const VERSION_PRICE: Price = fixed(50 * MICROSECOND);
const DECIMAL_PRICE: Price = (args, budget, name) => budget.charge(args.length * 40 * MICROSECOND, name);
/** Regular expressions charge for the characters that they read: `regex.ts`. */
const PATTERN_PRICE = SCAN_PRICE;

/** Price of signing with a key of the caller: the cube of the key's length, which is estimated from its PEM text. */
const SIGN_PRICE: Price = (args, budget, name) => {
  HEAVY_PER_CHARACTER(args.filter((arg) => typeof arg === "string" || Array.isArray(arg)), budget, name);
  const lists = args.filter((arg) => Array.isArray(arg)).reduce((sum, list) => sum + (list as unknown[]).length, 0);
  const longest = Math.max(0, ...args.map((arg) => (typeof arg === "string" ? arg.length : 0)));
  budget.charge(20 * MILLISECOND + lists * 15 * MICROSECOND + 200 * MILLISECOND * (longest / 3_200) ** 3, name);
};
/** Price of making an RSA key of 2,048 bits, and signing with it. */
const CERTIFICATE_PRICE: Price = (args, budget, name) => {
  budget.charge(250 * MILLISECOND, name);
  SIGN_PRICE(args, budget, name);
};
const KEY_PRICE: Price = ([kind], budget, name) => {
  const isQuick = kind === "ecdsa" || kind === "ed25519";
  budget.charge(isQuick ? 10 * MILLISECOND : 1_000 * MILLISECOND, name);
};

/** Prices of the functions that every expression can call by name. Those with predicates are charged per call of it. */
export const BUILTIN_PRICES: Readonly<Record<string, Price>> = {
  ...samePrice(
    CHEAP,
    "abs ceil floor round bitand bitor bitxor bitnand bitshl bitshr bitushr bitnot type first last",
  ),
  ...samePrice(SCAN_PRICE, "trimPrefix trimSuffix hasPrefix hasSuffix take repeat join reverse concat"),
  ...samePrice(byLength(100), "len keys values toPairs fromPairs"),
  ...samePrice(PER_CHARACTER, "trim upper lower int float toBase64 fromBase64"),
  ...samePrice(bySearch(0, 1, 100), "split splitAfter"),
  replace: bySearch(0, 1, 100),
  indexOf: bySearch(0, 1, 5),
  lastIndexOf: bySearch(0, 1, 5),
  get: SCAN_PRICE,
  ...samePrice(SERIALIZE, "string toJSON"),
  fromJSON: decodingPrice(60),
  flatten: byDepth(20),
  ...samePrice(byDepth(40), "max min mean"),
  ...samePrice(bySorting, "median sort"),
  // Comparisons charge themselves: `operators.ts`.
  uniq: byLength(200),
  now: CHEAP,
  ...samePrice(DATE_PRICE, "date"),
  duration: decodingPrice(600),
  timezone: fixed(100 * MICROSECOND),
};

/** Prices of Argo's functions. */
export const ARGO_PRICES: Readonly<Record<string, Price>> = {
  ...samePrice(PER_CHARACTER, "asInt asFloat"),
  toJson: SERIALIZE,
  // Paths charge for their steps: `jsonpath/`.
  jsonpath: byLength(100),
};

/** Prices of sprig's functions. */
export const SPRIG_PRICES: Readonly<Record<string, Price>> = {
  ...samePrice(
    CHEAP,
    "hello plural now ternary fail typeOf typeIs typeIsLike kindOf kindIs hasKey list tuple " +
      "first mustFirst last mustLast unixEpoch isAbs osIsAbs",
  ),
  ...samePrice(SCAN_PRICE, "hasPrefix hasSuffix trimSuffix trimPrefix regexQuoteMeta"),
  ...samePrice(byLength(30), "push mustPush append mustAppend prepend mustPrepend rest mustRest initial mustInitial"),
  ...samePrice(byLength(30), "reverse mustReverse slice mustSlice concat"),
  ...samePrice(byLength(100), "default coalesce empty all any keys values get pluck dig pick"),
  ...samePrice(byLength(500), "chunk mustChunk"),
  ...samePrice(byDepth(40), "compact mustCompact"),
  omit: byLength(500),
  ...samePrice(PER_CHARACTER, "abbrev abbrevboth trunc trim upper lower untitle substr trimall trimAll b64enc b32enc"),
  ...samePrice(PER_CHARACTER, "repeat indent nindent base osBase dir osDir clean osClean ext osExt adler32sum"),
  ...samePrice(
    HEAVY_PER_CHARACTER,
    "title nospace initials swapcase snakecase camelcase kebabcase wrap wrapWith shuffle urlParse",
  ),
  urlJoin: byDepth(600),
  ...samePrice(HEAVY_PER_CHARACTER, "sha1sum sha256sum sha512sum encryptAES decryptAES"),
  ...samePrice(decodingPrice(150), "b64dec b32dec"),
  contains: bySearch(1, 0),
  replace: bySearch(2, 0, 100),
  split: bySearch(1, 0, 500),
  splitList: bySearch(1, 0, 100),
  splitn: bySearch(2, 0, 500),
  ...samePrice(SERIALIZE, "quote squote cat toString toStrings join deepCopy mustDeepCopy dict"),
  ...samePrice(SERIALIZE, "toJson mustToJson toPrettyJson mustToPrettyJson toRawJson mustToRawJson"),
  ...samePrice(decodingPrice(60), "fromJson mustFromJson"),
  // Comparisons charge themselves: `operators.ts`.
  deepEqual: CHEAP,
  ...samePrice(byLength(200), "has mustHas without mustWithout uniq mustUniq"),
  sortAlpha: bySorting,
  ...samePrice(byDepth(100), "merge mustMerge mergeOverwrite mustMergeOverwrite"),
  // `set` and `unset` charge themselves for the map that they copy.
  ...samePrice(CHEAP, "set unset"),
  ...samePrice(ARITHMETIC_PRICE, "atoi int int64 float64 add add1 sub div mod mul max biggest min"),
  ...samePrice(ARITHMETIC_PRICE, "maxf minf ceil floor round seq until untilStep"),
  toDecimal: SERIALIZE,
  ...samePrice(DECIMAL_PRICE, "addf add1f subf mulf divf"),
  ...samePrice(DATE_PRICE, "date dateInZone date_in_zone htmlDate htmlDateInZone toDate mustToDate"),
  ...samePrice(decodingPrice(600), "dateModify date_modify mustDateModify must_date_modify ago duration durationRound"),
  ...samePrice(
    PATTERN_PRICE,
    "regexMatch mustRegexMatch regexFind mustRegexFind regexFindAll mustRegexFindAll regexReplaceAll",
  ),
  ...samePrice(
    PATTERN_PRICE,
    "mustRegexReplaceAll regexReplaceAllLiteral mustRegexReplaceAllLiteral regexSplit mustRegexSplit",
  ),
  ...samePrice(VERSION_PRICE, "semver semverCompare"),
  ...samePrice(fixed(150 * MILLISECOND), "bcrypt htpasswd"),
  derivePassword: fixed(600 * MILLISECOND),
  // Random texts charge themselves for their length.
  ...samePrice(CHEAP, "randAlpha randAlphaNum randNumeric randAscii randBytes"),
  randInt: fixed(2 * MICROSECOND),
  uuidv4: fixed(8 * MICROSECOND),
  genPrivateKey: KEY_PRICE,
  buildCustomCert: HEAVY_PER_CHARACTER,
  ...samePrice(CERTIFICATE_PRICE, "genCA genSelfSignedCert genSignedCert"),
  ...samePrice(SIGN_PRICE, "genCAWithKey genSelfSignedCertWithKey genSignedCertWithKey"),
  getHostByName: fixed(100 * MILLISECOND),
};

/** The functions that return a new list or map. */
const CREATES_ELEMENTS = new Set(
  ("toStrings split splitn splitList seq until untilStep list tuple push mustPush append mustAppend prepend mustPrepend " +
    "rest mustRest initial mustInitial reverse mustReverse compact mustCompact uniq mustUniq without mustWithout slice " +
    "mustSlice chunk mustChunk concat sortAlpha dict pluck keys values pick omit merge mustMerge mergeOverwrite " +
    "mustMergeOverwrite deepCopy mustDeepCopy fromJson mustFromJson regexFindAll mustRegexFindAll regexSplit " +
    "mustRegexSplit jsonpath").split(" "),
);
/** The builtins that return a new list or map and do not charge for its elements themselves. */
const BUILTINS_THAT_CREATE_ELEMENTS = new Set(
  "split splitAfter keys values toPairs fromPairs take uniq fromJSON".split(" "),
);

function samePrice(price: Price, names: string): Record<string, Price> {
  return Object.fromEntries(names.split(" ").map((name) => [name, price]));
}

/** The charges of a call: its price, and whether the elements of its result are charged in addition. */
export interface CallTerms {
  readonly name: string;
  readonly price: Price;
  readonly createsElements: boolean;
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

/** Returns the charges of a call of a builtin. */
export function builtinTerms(name: string): CallTerms {
  return { name, price: priceOf(BUILTIN_PRICES, name, name), createsElements: BUILTINS_THAT_CREATE_ELEMENTS.has(name) };
}

const TERMS = new WeakMap<GoFunction, CallTerms>();

/**
 * Records the price of each function.
 * @throws {Error} for a function without a price, which is a bug.
 */
export function setPrices(
  functions: Readonly<Record<string, GoFunction>>,
  prices: Readonly<Record<string, Price>>,
  prefix = "",
): void {
  for (const [name, goFunction] of Object.entries(functions)) {
    const price = priceOf(prices, name, prefix + name);
    if (!TERMS.has(goFunction)) {
      TERMS.set(goFunction, { name: prefix + name, price, createsElements: CREATES_ELEMENTS.has(name) });
    }
  }
}

/** Methods of times and durations. */
const METHOD_TERMS: CallTerms = { name: "a method", price: byLength(1_500), createsElements: false };

/** Runs a call. Charges for it before, and for the elements that it created after. */
export function runCharged(terms: CallTerms, args: readonly Value[], budget: Budget, call: () => Value): Value {
  terms.price(args, budget, terms.name);
  const result = call();
  if (terms.createsElements && !args.includes(result)) chargeNewElements(result, budget);
  return result;
}

/** Returns the charges of a call of a function value. */
export function termsOf(callee: GoFunction): CallTerms {
  return TERMS.get(callee) ?? METHOD_TERMS;
}
