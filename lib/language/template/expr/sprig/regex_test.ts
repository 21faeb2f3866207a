import { expectResults } from "../testing/run.ts";

Deno.test("regex: patterns are RE2's, and an invalid one fails only in the must functions", () => {
  expectResults({
    "sprig.regexMatch('^a+$', 'aa')": "true",
    "sprig.regexFind('[0-9]+', 'a12b3')": '"12"',
    "sprig.regexFindAll('[0-9]', 'a12b3', 2)": '["1","2"]',
    "sprig.regexReplaceAllLiteral('a', 'aba', '$1')": '"$1b$1"',
    "sprig.regexQuoteMeta('a.b')": '"a\\\\.b"',
    "sprig.mustRegexMatch('a', 'a')": "true",
    "sprig.mustRegexFind('[', 'a')": "!run: error parsing regexp: missing closing ]: `[`",
    "sprig.mustRegexFindAll('a', 'aa', -1)": '["a","a"]',
    "sprig.mustRegexReplaceAll('a(.)', 'ab', '$1')": '"b"',
    "sprig.mustRegexReplaceAllLiteral('a', 'ab', 'c')": '"cb"',
    "sprig.mustRegexSplit(',', 'a,b', -1)": '["a","b"]',
  });
});
