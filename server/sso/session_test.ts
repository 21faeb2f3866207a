import { assert, assertEquals } from "@std/assert";
import { EncryptJWT, SignJWT } from "jose";
import type { Claims } from "../gate/caller.ts";
import { isSession, openSession, sealSession } from "./session.ts";
import { sessionKeyOf } from "./session_key.ts";
import { ARGO_SESSION } from "./testing/login_bench.ts";

const KEY = new Uint8Array(32).fill(7);
const NOW = new Date("2026-01-01T00:00:00Z");
const LATER = new Date("2026-01-01T10:00:00Z");
const PERSON: Claims = {
  subject: "u1",
  groups: ["a", "b"],
  email: "u@x.org",
  emailVerified: true,
  name: "U",
  preferredUsername: "uu",
};

Deno.test("session: a session that Argo's libraries encrypted is accepted with the same Secret", async () => {
  const key = sessionKeyOf(ARGO_SESSION.cookieEncryptionPrivateKey, "argo");
  const session = await openSession(`Bearer v2:${ARGO_SESSION.token}`, key, NOW);
  assertEquals(session?.claims, {
    issuer: "argo-server",
    subject: "u1",
    groups: ["admins"],
    email: "u1@example.com",
    emailVerified: undefined,
    name: "User One",
    preferredUsername: "u1",
  });
  assertEquals(session?.until, Date.parse("2126-01-01T00:01:00Z"));
});

Deno.test("session: keeps the user's claims, compressed and encrypted like Argo's", async () => {
  const session = await sealSession(PERSON, LATER, KEY);
  assert(isSession(session));
  const [header = ""] = session.slice("Bearer v2:".length).split(".");
  assertEquals(JSON.parse(atob(header)), { alg: "dir", enc: "A256GCM", zip: "DEF" });
  assertEquals((await openSession(session, KEY, NOW))?.claims, { ...PERSON, issuer: "argo-server" });
});

Deno.test("session: is accepted until one minute after its expiry", async () => {
  const session = await sealSession(PERSON, LATER, KEY);
  assert(await openSession(session, KEY, new Date(LATER.getTime() + 59_000)));
  assertEquals(await openSession(session, KEY, new Date(LATER.getTime() + 61_000)), undefined);
});

Deno.test("session: another key, issuer or algorithm, and text that is not encrypted, are refused", async () => {
  const sealed = (header: { alg: string; enc: string }, issuer: string, key: Uint8Array) =>
    new EncryptJWT({}).setProtectedHeader(header).setIssuer(issuer).setSubject("u").setExpirationTime(LATER).encrypt(
      key,
    );
  const dir = { alg: "dir", enc: "A256GCM" };
  const good = await sealed(dir, "argo-server", KEY);
  assert(await openSession(`Bearer v2:${good}`, KEY, NOW));
  const withoutEnd = await new EncryptJWT({}).setProtectedHeader(dir).setIssuer("argo-server").encrypt(KEY);
  const signed = await new SignJWT({}).setProtectedHeader({ alg: "HS256" }).setIssuer("argo-server")
    .setExpirationTime(LATER).sign(KEY);
  const tag = good.lastIndexOf(".") + 1;
  const none = `${btoa('{"alg":"none"}')}.${btoa('{"iss":"argo-server","exp":9999999999}')}.`;
  for (
    const bad of [
      await sealed(dir, "argo-server", new Uint8Array(32).fill(8)),
      await sealed(dir, "somebody", KEY),
      await sealed({ alg: "A256KW", enc: "A256GCM" }, "argo-server", KEY),
      withoutEnd,
      signed,
      none,
      good.slice(0, -2),
      // Not at the end, whose last bits are ignored.
      `${good.slice(0, tag)}${good[tag] === "A" ? "B" : "A"}${good.slice(tag + 1)}`,
      "",
      "junk",
      "a.b.c.d.e",
      "....",
    ]
  ) assertEquals(await openSession(`Bearer v2:${bad}`, KEY, NOW), undefined, bad);
  assertEquals(isSession(`Bearer ${good}`), false);
});
