import { expectResults } from "../testing/run.ts";

Deno.test("text: is truncated to a length", () => {
  expectResults({
    "sprig.abbrev(5, 'hello world')": '"he..."',
    "sprig.abbrevboth(5, 10, '1234 5678 9123')": '"...5678..."',
    "sprig.trunc(3, 'hello')": '"hel"',
    "sprig.trunc(-3, 'hello')": '"llo"',
    "sprig.substr(1, 3, 'hello')": '"el"',
    "sprig.substr(-1, 3, 'hello')": '"hel"',
    "sprig.initials('First Try')": '"FT"',
  });
});

Deno.test("trim: the characters or affix are the first argument, the subject the last", () => {
  expectResults({
    "sprig.trim('  a ')": '"a"',
    "sprig.trimAll('$', '$5$')": '"5"',
    "sprig.trimall('$', '$5$')": '"5"',
    "sprig.trimPrefix('-', '-a-')": '"a-"',
    "sprig.trimSuffix('-', '-a-')": '"-a"',
    "sprig.nospace(' a b ')": '"ab"',
  });
});

Deno.test("text: case is changed", () => {
  expectResults({
    "sprig.upper('aé')": '"AÉ"',
    "sprig.lower('AÉ')": '"aé"',
    "sprig.title('hello world')": '"Hello World"',
    "sprig.untitle('Hello World')": '"hello world"',
    "sprig.swapcase('aB c')": '"Ab C"',
    "sprig.snakecase('HTTPServer')": '"http_server"',
    "sprig.camelcase('http_server')": '"HttpServer"',
    "sprig.kebabcase('FirstName')": '"first-name"',
  });
});

Deno.test("text: lines are wrapped and indented", () => {
  expectResults({
    "sprig.wrap(5, 'aa bb cc')": '"aa bb\\ncc"',
    "sprig.wrapWith(5, '|', 'aa bb cc')": '"aa bb|cc"',
    "sprig.indent(2, 'a\\nb')": '"  a\\n  b"',
    "sprig.nindent(2, 'a')": '"\\n  a"',
  });
});

Deno.test("text: values are quoted and joined with blanks", () => {
  expectResults({
    "sprig.quote('a', 1, nil)": '"\\"a\\" \\"1\\""',
    "sprig.squote('a')": `"'a'"`,
    "sprig.cat('a', 1, true)": '"a 1 true"',
    "sprig.repeat(2, 'ab')": '"abab"',
    "sprig.replace('a', 'b', 'aa')": '"bb"',
    "sprig.plural('one', 'many', 1)": '"one"',
    "sprig.plural('one', 'many', 2)": '"many"',
    "sprig.toString(1.5)": '"1.5"',
    "sprig.hello()": '"Hello!"',
  });
});

Deno.test("contains and hasPrefix: the searched text is the first argument", () => {
  expectResults({
    "sprig.contains('a', 'cat')": "true",
    "sprig.hasPrefix('c', 'cat')": "true",
    "sprig.hasSuffix('t', 'cat')": "true",
  });
});

Deno.test("encodings: are reversible, and the result for invalid input is the error message", () => {
  expectResults({
    "sprig.b64enc('é')": '"w6k="',
    "sprig.b64dec('w6k=')": '"é"',
    "sprig.b64dec('!')": '"illegal base64 data at input byte 0"',
    "sprig.b32enc('a')": '"ME======"',
    "sprig.b32dec('ME======')": '"a"',
  });
});

Deno.test("title: a letter that begins a word becomes title case", () => {
  expectResults({
    "sprig.swapcase('ǆ Xǆ')": '"ǅ xǄ"',
    "sprig.title('ა')": '"ა"',
    "sprig.untitle('İx')": '"ix"',
    "upper('ᾳ')": '"ᾼ"',
    "lower('İ')": '"i"',
  });
});

Deno.test("camelcase: a text of connectors has its last one doubled", () => {
  expectResults({ "sprig.camelcase('_')": '"__"', "sprig.camelcase('_a')": '"_A"', "sprig.camelcase('')": '""' });
});

Deno.test("trunc: a text that is cut within a character keeps its bytes, shown as replacement characters", () => {
  expectResults({
    "sprig.b64enc('日'[1:2])": '"lw=="',
    "sprig.trunc(1, 'é')": String.raw`"\ufffd"`,
    "fromBase64('/2E=')": String.raw`"\ufffda"`,
    "sprig.b64enc(sprig.b64dec('/2E='))": '"/2E="',
    "len(fromBase64('//8='))": "2",
  });
});
