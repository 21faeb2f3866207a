import { assertEquals } from "@std/assert";
import { escaped, queryText, signed } from "./signature.ts";

// The example of AWS's documentation of signatures in headers.
Deno.test("a signature is the one that AWS documents for its example", () => {
  const headers = signed(
    {
      method: "GET",
      path: "/test.txt",
      query: [],
      host: "examplebucket.s3.amazonaws.com",
      headers: { range: "bytes=0-9" },
      payload: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    },
    { accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
    { service: "s3", region: "us-east-1", at: Date.UTC(2013, 4, 24) },
  );
  assertEquals(
    headers.authorization,
    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, " +
      "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, " +
      "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  );
});

Deno.test("every byte of a key is escaped but letters, digits, -._~ and the slash; a query also escapes that", () => {
  assertEquals(escaped("a//./ü +%~*'()", "/"), "a//./%C3%BC%20%2B%25~%2A%27%28%29");
  assertEquals(queryText([["prefix", "a/b"], ["delete", ""], ["A", "="]]), "A=%3D&delete=&prefix=a%2Fb");
});

Deno.test("one secret signs differently on another day, in another region and for another service, in any order", () => {
  const request = { method: "GET", path: "/", query: [], host: "h", headers: {}, payload: "UNSIGNED-PAYLOAD" };
  const keys = { accessKey: "a", secretKey: "s" };
  const today = { service: "s3", region: "us-east-1", at: Date.UTC(2013, 4, 24) };
  const scopes = [today, { ...today, at: Date.UTC(2013, 4, 25) }, { ...today, region: "r" }, {
    ...today,
    service: "sts",
  }];
  const fresh = scopes.map((scope) => signed(request, { ...keys }, scope).authorization);
  for (const order of [[0, 1, 2, 3], [3, 2, 1, 0], [0, 0, 2, 0]]) {
    for (const at of order) assertEquals(signed(request, keys, scopes[at]!).authorization, fresh[at]);
  }
  assertEquals(new Set(fresh).size, scopes.length);
});
