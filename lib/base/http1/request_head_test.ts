import { assert, assertEquals, assertThrows } from "@std/assert";
import { type RequestHead, requestHead } from "./request_head.ts";

const GET: RequestHead = { method: "GET", target: "/a?b=c", host: "a:1", headers: [], length: undefined };

Deno.test("requestHead: writes the request line, host, length and headers in order", () => {
  assertEquals(requestHead(GET), "GET /a?b=c HTTP/1.1\r\nHost: a:1\r\n\r\n");
  const headers = [["x", "1"], ["Y", ""], ["x", "\xe9\t2"]] as const;
  assertEquals(
    requestHead({ ...GET, method: "PUT", origin: "http://b", length: 0, headers }),
    "PUT http://b/a?b=c HTTP/1.1\r\nHost: a:1\r\nContent-Length: 0\r\nx: 1\r\nY: \r\nx: \xe9\t2\r\n\r\n",
  );
});

for (
  const wrong of [
    { method: "GET /" },
    { method: "" },
    { target: "a" },
    { target: "/a b" },
    { target: "/a\r\n" },
    { target: "/\xe9" },
    { host: "a\r\nb" },
    { host: "" },
    { headers: [["a:", "secret"]] },
    { headers: [["", "secret"]] },
    { headers: [["a", "secret\r\nb: c"]] },
    { headers: [["a", "secret\n"]] },
    { headers: [["a", "secret\0"]] },
  ] satisfies Partial<RequestHead>[]
) {
  Deno.test(`requestHead: rejects ${JSON.stringify(wrong)} without quoting the value of a header`, () => {
    const error = assertThrows(() => requestHead({ ...GET, ...wrong }), TypeError);
    assert(!error.message.includes("secret"));
  });
}
