import { assertEquals } from "@std/assert";
import { withAddress } from "./placed_cases.ts";

Deno.test("withAddress: replaces the name of the store by its address, and nothing else", () => {
  const text = "s3:\n  endpoint: minio:9000\n  key: minio:9000\nname: minio\n";
  assertEquals(withAddress(text, "10.0.0.1"), "s3:\n  endpoint: 10.0.0.1:9000\n  key: minio:9000\nname: minio\n");
});

Deno.test("withAddress: replaces the name of the HTTP server only in URLs of requests", () => {
  const text = 'value: "http://httpbin:9100/get"\nname: httpbin\nurl: http://httpbin.org/get\n';
  assertEquals(
    withAddress(text, "10.0.0.1"),
    'value: "http://10.0.0.1:9100/get"\nname: httpbin\nurl: http://httpbin.org/get\n',
  );
});

Deno.test("withAddress: replaces the name of the Git server in URLs", () => {
  assertEquals(
    withAddress("repo: http://git-server:8080/repo.git\n", "10.0.0.1"),
    "repo: http://10.0.0.1:8080/repo.git\n",
  );
});
