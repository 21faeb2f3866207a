import { assertEquals } from "@std/assert";
import { expectResults } from "./testing/run.ts";
import { translatePattern } from "./regex_dialect.ts";

Deno.test("translatePattern() accepts the long name of a Unicode class in any case, with or without blanks", () => {
  expectResults({
    '"é" matches "^\\\\p{Letter}$"': "true",
    '"é" matches "^\\\\p{lowercase letter}$"': "true",
    '"é" matches "^[\\\\p{LOWERCASE_LETTER}]$"': "true",
    '"é" matches "\\\\p{^lu}"': "true",
    '"α" matches "\\\\p{greek}"': "true",
    '"5" matches "\\\\p{digit}"': "true",
    '"é" matches "\\\\p{ASCII}"': "false",
    '"é" matches "[^\\\\p{ascii}]"': "true",
    '"é" matches "\\\\P{ascii}"': "true",
  });
});

Deno.test("translatePattern() keeps an unknown class and a script of several words, which are errors", () => {
  for (const name of ["Nope", "", "Old_Italic"]) {
    expectResults({
      [`"a" matches "\\\\p{${name}}"`]: `!compile: error parsing regexp: invalid character class range: \`\\p{${
        name.replace("_I", "i")
      }}\``,
    });
  }
});

Deno.test("translatePattern() lets two groups have the same name, which refers to the first", () => {
  expectResults({ 'sprig.regexReplaceAll("(?P<n>a)(?P<n>b)", "ab", "${n}-$2")': '"a-b"' });
  expectResults({ '"ab" matches "(?<n>a)(?P<n>b)"': "true" });
});

Deno.test("translatePattern() leaves text that only resembles a class or group unchanged", () => {
  for (const pattern of ["\\\\p{Letter}", "\\Q\\p{letter}(?P<n>(?P<n>\\E", "[(?P<n>(?P<n>]", "a{2}[[:alpha:]]"]) {
    assertEquals(translatePattern(pattern), pattern);
  }
});
