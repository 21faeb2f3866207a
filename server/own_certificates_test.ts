import { assert, assertEquals } from "@std/assert";
import { X509Certificate } from "node:crypto";
import { ownCertificates } from "./own_certificates.ts";

const DAY = 24 * 3_600_000;

Deno.test("own certificate: is replaced a month before it expires", () => {
  let time = Date.UTC(2026, 0, 1);
  const certificate = ownCertificates(() => new Date(time));
  const first = certificate();
  time += 334 * DAY;
  assertEquals(certificate(), first);
  time += 2 * DAY;
  const second = certificate();
  assert(second.cert !== first.cert && second.key !== first.key);
  assert(Date.parse(new X509Certificate(second.cert).validTo) - time > 364 * DAY);
  assertEquals(certificate(), second);
});

Deno.test("own certificate: is created on first use, so a server without TLS creates no key", () => {
  let time = Date.UTC(2026, 0, 1);
  const certificate = ownCertificates(() => new Date(time));
  time += 100 * DAY;
  assert(Date.parse(new X509Certificate(certificate().cert).validTo) - time > 364 * DAY);
});
