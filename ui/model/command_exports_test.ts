import { assertEquals } from "@std/assert";
import { commandExports, tokenInCookies } from "./command_exports.ts";

Deno.test("commandExports: exports the server, its base path and the credentials, each quoted as one word", () => {
  assertEquals(
    commandExports({ base: "https://argo.example/a/b/", namespace: "data", token: "Bearer it's" }).split("\n"),
    [
      "export ARGO_SERVER='argo.example:443'",
      "export ARGO_HTTP1='true'",
      "export ARGO_SECURE='true'",
      "export ARGO_BASE_HREF='/a/b'",
      "export ARGO_TOKEN='Bearer it'\\''s'",
      "export ARGO_NAMESPACE='data'",
    ],
  );
  assertEquals(
    commandExports({ base: "http://[::1]:2746/", namespace: "", token: "Bearer t" }).split("\n"),
    [
      "export ARGO_SERVER='[::1]:2746'",
      "export ARGO_HTTP1='true'",
      "export ARGO_SECURE='false'",
      "export ARGO_TOKEN='Bearer t'",
    ],
  );
});

Deno.test("tokenInCookies: decodes credentials if they are encoded", () => {
  assertEquals(tokenInCookies("a=1; authorization=Bearer x.y"), "Bearer x.y");
  assertEquals(tokenInCookies('authorization="Bearer%20x"'), "Bearer x");
  assertEquals(tokenInCookies("authorization=%E0%A4%A"), "%E0%A4%A");
  assertEquals(tokenInCookies("authorization=; xauthorization=z"), undefined);
});
