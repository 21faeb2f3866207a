import { assertEquals } from "@std/assert";
import { escaped, presignUrl, queryText, signHeaders } from "./signature.ts";

// The example in AWS's documentation of signatures in headers.
Deno.test("signature: equals AWS's documented example", () => {
  const headers = signHeaders(
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

Deno.test("escaped: escapes all bytes of a key but letters, digits, -._~ and the slash; a query also escapes the slash", () => {
  assertEquals(escaped("a//./ü +%~*'()", "/"), "a//./%C3%BC%20%2B%25~%2A%27%28%29");
  assertEquals(queryText([["prefix", "a/b"], ["delete", ""], ["A", "="]]), "A=%3D&delete=&prefix=a%2Fb");
});

Deno.test("signature: one secret signs differently on another day, in another region and for another service, in any order", () => {
  const request = { method: "GET", path: "/", query: [], host: "h", headers: {}, payload: "UNSIGNED-PAYLOAD" };
  const keys = { accessKey: "a", secretKey: "s" };
  const today = { service: "s3", region: "us-east-1", at: Date.UTC(2013, 4, 24) };
  const scopes = [today, { ...today, at: Date.UTC(2013, 4, 25) }, { ...today, region: "r" }, {
    ...today,
    service: "sts",
  }];
  const fresh = scopes.map((scope) => signHeaders(request, { ...keys }, scope).authorization);
  for (const order of [[0, 1, 2, 3], [3, 2, 1, 0], [0, 0, 2, 0]]) {
    for (const index of order) assertEquals(signHeaders(request, keys, scopes[index]!).authorization, fresh[index]);
  }
  assertEquals(new Set(fresh).size, scopes.length);
});

// Tokens of AWS's Go library for the same keys and time. Its URLs have no slash before the query.
Deno.test("presignUrl: a request equals the one of AWS's library for a database login", () => {
  const keys = { accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
  const request = {
    host: "db.example:5432",
    path: "/",
    query: [["Action", "connect"], ["DBUser", "argo user"]] as const,
    seconds: 900,
  };
  const signedFor = { service: "rds-db", region: "eu-central-1", at: Date.UTC(2026, 10, 23, 17, 17, 9) };
  const head = "db.example:5432/?Action=connect&DBUser=argo%20user&X-Amz-Algorithm=AWS4-HMAC-SHA256&" +
    "X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20261123%2Feu-central-1%2Frds-db%2Faws4_request&" +
    "X-Amz-Date=20261123T171709Z&X-Amz-Expires=900&";
  assertEquals(
    presignUrl(request, keys, signedFor),
    `${head}X-Amz-SignedHeaders=host&X-Amz-Signature=205a201a74a5d795faee81d7d3a6a7455ecc555469f7b8d687766ec6b0e38c81`,
  );
  assertEquals(
    presignUrl(request, { ...keys, sessionToken: "a+b/c==" }, signedFor),
    `${head}X-Amz-Security-Token=a%2Bb%2Fc%3D%3D&X-Amz-SignedHeaders=host&` +
      "X-Amz-Signature=fbf4b0f6fd0f61f5a2873f0c87ee8a9625af1b334bc9d357a5bbcb07f3fa8b18",
  );
});
