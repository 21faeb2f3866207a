import { assertEquals, assertThrows } from "@std/assert";
import { NetError } from "./net.ts";
import { proxyFor } from "./proxy.ts";

const proxied = { HTTPS_PROXY: "http://p:1", HTTP_PROXY: "q:2" };

for (
  const [url, noProxy, expected] of [
    ["https://a.example/", "", "http://p:1/"],
    ["http://a.example/", "", "http://q:2/"],
    ["https://a.example/", "*", undefined],
    ["https://a.example/", "b.example, example", undefined],
    ["https://a.example/", ".example", undefined],
    ["https://example/", ".example", "http://p:1/"],
    ["https://example/", "*.example", "http://p:1/"],
    ["https://anexample/", "example", "http://p:1/"],
    ["https://A.Example/", "a.EXAMPLE", undefined],
    ["https://a.example:8443/", "a.example:8443", undefined],
    ["https://a.example/", "a.example:8443", "http://p:1/"],
    ["https://a.example/", "a.example:443", undefined],
    ["https://10.1.2.3/", "10.0.0.0/8", undefined],
    ["https://11.1.2.3/", "10.0.0.0/8", "http://p:1/"],
    ["https://10.1.2.3/", "10.1.2.3", undefined],
    ["https://[fd00::1]/", "fd00::/8", undefined],
    ["https://[fe80::1]/", "fd00::/8", "http://p:1/"],
    ["https://[fd00::1]/", "fd00:0::1", undefined],
    ["https://[fd00::1]:99/", "[fd00::1]:99", undefined],
    ["https://localhost/", "", undefined],
    ["http://127.0.0.2:9/", "", undefined],
    ["http://[::1]/", "", undefined],
  ] as const
) {
  Deno.test(`proxyFor: ${url} is requested ${expected ? `through ${expected}` : "directly"} if NO_PROXY is "${noProxy}"`, () => {
    const env = { ...proxied, NO_PROXY: noProxy } as Record<string, string>;
    assertEquals(proxyFor(new URL(url), (name) => env[name])?.href, expected);
  });
}

Deno.test("proxyFor: lower-case variables apply if there are no upper-case ones", () => {
  const env: Record<string, string> = { https_proxy: "http://p:1", no_proxy: "b" };
  assertEquals(proxyFor(new URL("https://a/"), (name) => env[name])?.href, "http://p:1/");
  assertEquals(proxyFor(new URL("https://b/"), (name) => env[name]), undefined);
});

Deno.test("proxyFor: rejects another protocol or an invalid URL without quoting it", () => {
  for (const text of ["socks5://u:secret@p:1", "http://u:secret@[x"]) {
    const error = assertThrows(() => proxyFor(new URL("https://a/"), () => text), NetError);
    assertEquals(/secret/.test(error.message), false);
  }
});
