import { assertEquals, assertMatch } from "@std/assert";
import { regionOf, signHeaders } from "./signature.ts";

/** Signatures of the same requests by Alibaba's Python library (oss2 2.19.1). */
const MADE_BY_OSS2 = [
  {
    "method": "PUT",
    "key": "dir/a b+ü&.txt",
    "query": {},
    "headers": { "content-type": "text/plain", "content-md5": "1B2M2Y8AsgTpgAmY7PhCfg==" },
    "token": "",
    "v4": "f86c483cf6818452fdd643c5db1045d56d06edd104ffebba0665ac88d8aaf3a7",
    "v1": "l9URkIZ0hc7QDZgkIme4MD6m9GQ=",
  },
  {
    "method": "GET",
    "key": "",
    "query": { "prefix": "a/ü", "max-keys": "1000", "encoding-type": "url" },
    "headers": {},
    "token": "",
    "v4": "9ba283945b3876e90e9bca3b47479775a8f9be8bac2996f21f9f2e11e3cf2b0f",
    "v1": "It2IHzP6AeIgPLVZkyGT4X5fTAU=",
  },
  {
    "method": "POST",
    "key": "k~(1)!*'",
    "query": { "uploads": "" },
    "headers": { "content-type": "application/gzip" },
    "token": "token",
    "v4": "7a2f0fca2d30ef4650684bcab0f551608576859cefede1728f61114c79d3dc74",
    "v1": "8LChIUL9Nqlk3VdtAd2flbBpoL4=",
  },
  {
    "method": "PUT",
    "key": "k",
    "query": { "partNumber": "3", "uploadId": "AB/c+d=" },
    "headers": {},
    "token": "token",
    "v4": "3f1469db73165b1dde3165cfd96c56350848509cdcf9281d83fc799e77298f1e",
    "v1": "1Fm55p0ciAktTd6XzDh55w+b7sE=",
  },
  {
    "method": "GET",
    "key": "k",
    "query": {},
    "headers": { "range": "bytes=0-9", "x-oss-range-behavior": "standard", "if-match": '"x"' },
    "token": "",
    "v4": "fe0517827af311a7576c38e72bff7f8e69f3ba303e8bb60c6e4144d042ca6ae0",
    "v1": "Sce0O9SxTbbSO8X1IBlx4j1UGM4=",
  },
  {
    "method": "PUT",
    "key": "",
    "query": { "lifecycle": "" },
    "headers": { "content-type": "application/xml", "content-md5": "1B2M2Y8AsgTpgAmY7PhCfg==" },
    "token": "",
    "v4": "1828652d7cf3c0d15daf5e01f7018a293c6e8a2f9b73fdbf9f3337a3dc22c777",
    "v1": "X+svgqzhd0kpMMwAl9rZKc5dxeA=",
  },
];

const now = Date.parse("2023-12-03T12:12:12Z");

Deno.test("oss: signatures equal those of Alibaba's library, in both versions", () => {
  for (const { method, key, query, headers, token, v4, v1 } of MADE_BY_OSS2) {
    const keys = { id: "AKID", secret: "s3cr3t", ...token ? { token } : {} };
    const request = {
      method,
      bucket: "bkt",
      key,
      query: query as unknown as Record<string, string>,
      headers: headers as unknown as Record<string, string>,
    };
    const by = (region?: string) => signHeaders(request, keys, { now, region }).authorization!;
    assertEquals([key, by("cn-hangzhou").split("Signature=")[1], by().split(":")[1]], [key, v4, v1]);
    assertMatch(by("cn-hangzhou"), /^OSS4-HMAC-SHA256 Credential=AKID\/20231203\/cn-hangzhou\/oss\/aliyun_v4_request,/);
  }
});

Deno.test("regionOf: reads the region from the name of an endpoint, also an internal one, and from no other name", () => {
  const hosts = ["oss-cn-hangzhou.aliyuncs.com", "oss-us-west-1-internal.aliyuncs.com", "oss.example.com", "127.0.0.1"];
  assertEquals(hosts.map(regionOf), ["cn-hangzhou", "us-west-1", undefined, undefined]);
});
