import { assertEquals } from "@std/assert";
import { type Greeting, GREETINGS } from "../api/source.ts";
import {
  ASK_EVERY_MILLIS,
  greetingOf,
  read,
  readGreeted,
  releaseOf,
  serializeGreeting,
  stateAfterVisit,
} from "./greeting.ts";

const NEW = readGreeted(null);
const NOW = 1_000_000;
const at = (version: string, now = NOW) => ({ version, now });

Deno.test("greetingOf: welcomes first, asks after two weeks and two weeks later again, and announces each release once", () => {
  let greeted = stateAfterVisit(NEW, at("v0.1.0"));
  const seen: (Greeting | undefined)[] = [];
  const look = (version: string, now: number) => {
    const greeting = greetingOf(GREETINGS, greeted, at(version, now));
    seen.push(greeting);
    if (greeting) greeted = read(greeted, greeting, at(version, now));
    greeted = stateAfterVisit(readGreeted(serializeGreeting(greeted)), at(version, now));
  };
  look("v0.1.0", NOW);
  look("v0.1.0", NOW);
  look("v0.1.7", NOW + ASK_EVERY_MILLIS);
  look("v0.1.7", NOW + ASK_EVERY_MILLIS + 1);
  look("v0.2.0", NOW + ASK_EVERY_MILLIS + 1);
  look("v0.2.1", NOW + ASK_EVERY_MILLIS + 1);
  look("v0.2.1", NOW + 2 * ASK_EVERY_MILLIS);
  assertEquals(seen, ["firstTimeUser", undefined, "feedback", undefined, "newVersion", undefined, "feedback"]);
});

Deno.test("greetingOf: returns nothing that the server does not enable, and nothing before its version is known", () => {
  const long = { isKnown: false, askFrom: 1, release: "0.1" };
  assertEquals(greetingOf([], long, at("v0.2.0")), undefined);
  assertEquals(greetingOf(["newVersion"], long, at("v0.2.0")), "newVersion");
  assertEquals(greetingOf(["newVersion"], long, at("")), undefined);
  assertEquals(greetingOf(["feedback", "newVersion"], NEW, at("v0.2.0")), undefined);
});

Deno.test("readGreeted: restores the stored state, and defaults for other texts", () => {
  const kept = { isKnown: true, askFrom: 12, release: "v9&x" };
  assertEquals(readGreeted(serializeGreeting(kept)), kept);
  assertEquals(readGreeted("{]&ask=soon&release=0.1"), { isKnown: false, askFrom: 0, release: "0.1" });
  assertEquals(["v0.1.3", "0.1", "v1.20.0-rc1", "latest"].map(releaseOf), ["0.1", "0.1", "1.20", "latest"]);
});
