import { assertEquals } from "@std/assert";
import { ChangeLog } from "../nodes/change_log.ts";
import { LoggedMap } from "./logged_map.ts";

Deno.test("LoggedMap: logs added, replaced and removed keys, for each reader since its last position", () => {
  const log = new ChangeLog();
  const map = new LoggedMap<number>(log);
  const start = log.position;
  map.set("a", 1).set("b", 2);
  const middle = log.position;
  map.set("a", 3);
  map.delete("b");
  assertEquals(log.since(start), new Set(["a", "b"]));
  assertEquals(log.since(middle), new Set(["a", "b"]));
  assertEquals(log.since(log.position), new Set());
});

Deno.test("LoggedMap: logs keys with their kind, so that several kinds of facts share a log", () => {
  const log = new ChangeLog();
  new LoggedMap<number>(log, "lock").set("a", 1);
  new LoggedMap<number>(log, "cache").set("a", 1);
  assertEquals(log.since(0), new Set(["lock/a", "cache/a"]));
});

Deno.test("LoggedMap: does not log calls without effect", () => {
  const log = new ChangeLog();
  const map = new LoggedMap<number>(log);
  map.set("a", 1);
  const { position } = log;
  map.set("a", 1);
  map.delete("b");
  assertEquals(log.since(position), new Set());
  map.clear();
  assertEquals(log.since(position), new Set(["a"]));
});

Deno.test("ChangeLog: returns undefined for keys that were removed from the log", () => {
  const log = new ChangeLog();
  for (let index = 0; index < 20_000; index++) log.add(`k${index}`);
  assertEquals(log.since(0), undefined);
  assertEquals(log.since(log.position - 1), new Set(["k19999"]));
});
