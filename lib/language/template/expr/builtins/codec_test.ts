import { expectResults } from "../testing/run.ts";

Deno.test("codec: JSON is written on several lines, and every parsed number is a float", () => {
  expectResults({
    "toJSON([1, 'a'])": '"[\\n  1,\\n  \\"a\\"\\n]"',
    "toJSON('<')": '"\\"\\\\u003c\\""',
    [`fromJSON('{"a": [1]}')`]: '{"a":[1]}',
    "type(fromJSON('1'))": '"float"',
    "fromJSON('{')": "!run: unexpected end of JSON input",
  });
});

Deno.test("codec: base64 uses the standard alphabet with padding", () => {
  expectResults({
    "toBase64('é?>')": '"w6k/Pg=="',
    "fromBase64('w6k/Pg==')": '"é?\\u003e"',
    "fromBase64('w6k/Pg')": "!run: illegal base64 data at input byte 4",
  });
});
