import { assertEquals, assertThrows } from "@std/assert";
import { DigestMd5 } from "./digest_md5.ts";
import { Rc4 } from "./rc4.ts";
import { MessageError } from "./rpc_messages.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const LOGIN = { user: "chris", password: "secret", service: "imap/elwood.innosoft.com" };
const CHALLENGE = 'realm="elwood.innosoft.com",nonce="OA6MG9tEQGm2hh",qop="auth",algorithm=md5-sess,charset=utf-8';

Deno.test("DigestMd5: computes the example of RFC 2831, and verifies the server's last message", () => {
  const digest = new DigestMd5(LOGIN, "OA6MHXh6VqTrRk");
  const response = new TextDecoder().decode(digest.respond(utf8(CHALLENGE), ([first]) => first!));
  assertEquals(/response=(\w+)/.exec(response)?.[1], "d388dad90d4bbd760a152321f2143af7");
  assertEquals(digest.verifyServerProof(utf8("rspauth=ea40f60335c427b5527b84dbabcdfffe")), false);
  assertEquals(digest.verifyServerProof(utf8("nothing")), false);
  assertEquals(digest.verifyServerProof(utf8("rspauth=ea40f60335c427b5527b84dbabcdfffd")), true);
});

Deno.test("DigestMd5: returns the offered qualities, and needs a cipher for encryption", () => {
  const offer = (challenge: string) => {
    let told: readonly string[] = [];
    new DigestMd5(LOGIN, "n").respond(utf8(challenge), (offered) => {
      told = offered;
      return offered.at(-1) ?? "auth";
    });
    return told;
  };
  assertEquals(offer('qop="auth-conf,auth-int, auth,other",cipher="3des,rc4"'), ["auth", "auth-int", "auth-conf"]);
  assertEquals(offer('nonce="a\\"b,c",'), ["auth"]);
  assertEquals(offer('qop="none'), []);
  assertThrows(() => offer('qop="auth-conf",cipher="3des"'), MessageError, "no cipher rc4");
});

Deno.test("Rc4: keeps its state between pieces", () => {
  const cipher = new Rc4(utf8("Key"));
  const pieces = ["Pl", "", "aintext"].map((text) => cipher.apply(utf8(text)).toHex());
  assertEquals(pieces.join(""), "bbf316e8d940af0ad3");
});
