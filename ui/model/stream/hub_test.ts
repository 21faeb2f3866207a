import { assertEquals } from "@std/assert";
import { fakeClock } from "../../../lib/base/clock/testing/fake_clock.ts";
import type { FromHub, Sharing, ToHub } from "../../api/stream_talk.ts";
import { type ConnectionWatcher, Hub, type Subscription } from "./hub.ts";

const LIST = "/api/v1/workflow-events/data?fields=x";
const RUN = "/api/v1/workflow-events/data?listOptions.fieldSelector=metadata.name%3Dw&patches=1";

interface Connection {
  readonly authorization: string | undefined;
  readonly subscriptions: readonly Subscription[];
  readonly watcher: ConnectionWatcher;
  isLeft: boolean;
}

/** A hub with controlled network and clock. */
function bench() {
  const clock = fakeClock();
  const connections: Connection[] = [];
  const hub = new Hub({
    connect(authorization, subscriptions, watcher) {
      const connection = { authorization, subscriptions, watcher, isLeft: false };
      connections.push(connection);
      return () => void (connection.isLeft = true);
    },
    now: () => clock.now(),
    after: (millis, act) => clock.after(millis, act),
  });
  return {
    clock,
    connections,
    /** The open connections. */
    open: () => connections.filter(({ isLeft }) => !isLeft),
    tab() {
      const heard: FromHub[] = [];
      const tab = { send: (message: FromHub) => void heard.push(message) };
      return {
        heard,
        followAsAny: (id: number, path: string, from: string, authorization: string) =>
          hub.handle(tab, { kind: "follow", id, path, from, sharing: "list", authorization, isAnyToken: true }),
        say: (message: ToHub) => hub.handle(tab, message),
        follow: (id: number, path: string, from?: string, sharing: Sharing = "list", authorization?: string) =>
          hub.handle(tab, { kind: "follow", id, path, from, sharing, authorization, isAnyToken: false }),
        texts: () => heard.flatMap((message) => message.kind === "told" ? message.texts : []).map(shortOf),
        over: () => heard.flatMap((message) => message.kind === "over" ? [message.status] : []),
      };
    },
    /** Sends a message for a subscription of the open connection. */
    tell(version: string | undefined, subject: string, time = 0) {
      const { watcher, subscriptions } = this.open()[0]!;
      watcher.onMessage(subscriptions[time]!.id, version, `{"result":{"type":"${subject}"}}`);
    },
    word(word: unknown, time = 0) {
      const { watcher, subscriptions } = this.open()[0]!;
      watcher.onMessage(subscriptions[time]!.id, undefined, JSON.stringify(word));
    },
  };
}

const shortOf = (text: string) => JSON.parse(text).result.type as string;

Deno.test("Hub: twenty tabs that follow the same list share one subscription, and all receive its messages", () => {
  const hub = bench();
  const tabs = Array.from({ length: 20 }, () => hub.tab());
  for (const tab of tabs) {
    tab.follow(1, LIST, "10");
    hub.clock.advance(1_000);
    tab.say({ kind: "here" });
  }
  assertEquals(hub.connections.length, 1);
  assertEquals(hub.open()[0]!.subscriptions, [{ id: "1", path: LIST, cursor: "10" }]);
  hub.tell("11", "ADDED");
  for (const tab of tabs) assertEquals(tab.texts(), ["ADDED"]);
});

Deno.test("Hub: a further subscription opens a new connection, which resumes where the first one was", () => {
  const hub = bench();
  const [one, other] = [hub.tab(), hub.tab()];
  one.follow(1, LIST, "10");
  hub.clock.advance(100);
  hub.tell("12", "ADDED");
  other.follow(7, RUN, "5", "run");
  hub.clock.advance(100);
  assertEquals(hub.connections.map(({ isLeft }) => isLeft), [true, false]);
  assertEquals(hub.open()[0]!.subscriptions.map(({ path, cursor }) => [path, cursor]), [[LIST, "12"], [RUN, "5"]]);
  // Messages of the first connection are ignored from now on.
  hub.connections[0]!.watcher.onMessage("1", "13", '{"result":{"type":"LATE"}}');
  hub.tell("13", "MODIFIED");
  assertEquals(one.texts(), ["ADDED", "MODIFIED"]);
  assertEquals(other.texts(), []);
});

Deno.test("Hub: a tab that joins a list later receives only messages after its version", () => {
  const hub = bench();
  const [first, behind, ahead] = [hub.tab(), hub.tab(), hub.tab()];
  first.follow(1, LIST, "10");
  hub.clock.advance(100);
  for (const version of ["11", "12", "13"]) hub.tell(version, `v${version}`);
  behind.follow(1, LIST, "12");
  ahead.follow(1, LIST, "15");
  hub.clock.advance(100);
  assertEquals(hub.connections.length, 1);
  for (const version of ["14", "15", "16"]) hub.tell(version, `v${version}`);
  // An end that the server noticed later has no version.
  hub.tell(undefined, "DELETED");
  assertEquals(first.texts(), ["v11", "v12", "v13", "v14", "v15", "v16", "DELETED"]);
  assertEquals(behind.texts(), ["v13", "v14", "v15", "v16", "DELETED"]);
  assertEquals(ahead.texts(), ["v16", "DELETED"]);
});

Deno.test("Hub: if a tab's version is older than the kept messages, the list resumes from it, and other tabs receive nothing twice", () => {
  const hub = bench();
  const [first, older] = [hub.tab(), hub.tab()];
  first.follow(1, LIST, "10");
  hub.clock.advance(100);
  hub.tell("11", "v11");
  older.follow(1, LIST, "8");
  hub.clock.advance(100);
  assertEquals(hub.open()[0]!.subscriptions[0]!.cursor, "8");
  for (const version of ["9", "10", "11", "12"]) hub.tell(version, `v${version}`);
  assertEquals(first.texts(), ["v11", "v12"]);
  assertEquals(older.texts(), ["v9", "v10", "v11", "v12"]);
});

Deno.test("Hub: a tab joins a run if the next patch applies to its version, else from the last full state", () => {
  const hub = bench();
  const [first, same, later, other] = [hub.tab(), hub.tab(), hub.tab(), hub.tab()];
  first.follow(1, RUN, "10", "run");
  hub.clock.advance(100);
  hub.tell("11", "PATCHED");
  hub.tell("12", "PATCHED");
  same.follow(1, RUN, "12", "run");
  later.follow(1, RUN, "11", "run");
  hub.clock.advance(100);
  assertEquals([same.texts(), later.texts()], [[], ["PATCHED"]]);
  assertEquals(hub.connections.length, 1);
  // A state was missed: everything is requested again for all.
  other.follow(1, RUN, "13", "run");
  hub.clock.advance(100);
  assertEquals(hub.open()[0]!.subscriptions[0]!.cursor, undefined);
  hub.tell("14", "ADDED");
  hub.tell("15", "PATCHED");
  assertEquals(first.texts(), ["PATCHED", "PATCHED", "ADDED", "PATCHED"]);
  assertEquals(other.texts(), ["ADDED", "PATCHED"]);
  const last = hub.tab();
  last.follow(1, RUN, "3", "run");
  assertEquals(last.texts(), ["ADDED", "PATCHED"]);
});

Deno.test("Hub: a patch for an unknown state ends the subscription, like an outdated version", () => {
  const hub = bench();
  const first = hub.tab();
  first.follow(1, RUN, undefined, "run");
  hub.clock.advance(100);
  hub.tell("11", "ADDED");
  hub.tell("12", "PATCHED");
  assertEquals(first.over(), []);
  const other = bench();
  const tab = other.tab();
  tab.follow(1, RUN, "10", "run");
  other.clock.advance(100);
  const { watcher, subscriptions } = other.open()[0]!;
  // A patch sends only its version, without the state.
  watcher.onMessage(subscriptions[0]!.id, "11", undefined);
  other.tell("12", "PATCHED");
  assertEquals(tab.over(), [410]);
});

Deno.test("Hub: a refused subscription ends for its followers, and the connection continues for others", () => {
  const hub = bench();
  const [one, other] = [hub.tab(), hub.tab()];
  one.follow(1, LIST, "10");
  other.follow(1, RUN, "10", "run");
  hub.clock.advance(100);
  hub.word({ open: true });
  hub.word({ error: { http_code: 403, message: "not allowed" } }, 1);
  assertEquals([one.over(), other.over()], [[], [403]]);
  assertEquals(one.heard.filter(({ kind }) => kind === "open").length, 1);
  hub.tell("11", "ADDED");
  assertEquals(one.texts(), ["ADDED"]);
});

Deno.test("Hub: a broken connection ends all subscriptions, and so does silence of 40 seconds", () => {
  const hub = bench();
  const tab = hub.tab();
  tab.follow(1, LIST, "10");
  hub.clock.advance(100);
  hub.word({ open: true });
  hub.open()[0]!.watcher.onEnd(undefined, "the stream was interrupted");
  assertEquals(tab.over(), [0]);
  tab.follow(2, LIST, "12");
  hub.clock.advance(100);
  for (let seconds = 0; seconds < 120; seconds += 15) {
    hub.clock.advance(15_000);
    hub.open()[0]!.watcher.onBytes();
    tab.say({ kind: "here" });
  }
  assertEquals(tab.over(), [0]);
  for (let seconds = 0; seconds < 40; seconds += 10) {
    hub.clock.advance(10_000);
    tab.say({ kind: "here" });
  }
  assertEquals([tab.over(), hub.open().length], [[0, 0], 0]);
});

Deno.test("Hub: tabs connect separately if the server does not provide the shared stream, or its response is not valid", () => {
  for (const status of [404, 501, undefined]) {
    const hub = bench();
    const tab = hub.tab();
    tab.follow(1, LIST, "10");
    hub.clock.advance(100);
    hub.open()[0]!.watcher.onEnd(status, "no");
    assertEquals(tab.heard.map(({ kind }) => kind), ["taken", "absent"]);
  }
});

Deno.test("Hub: refused credentials are reported to the tabs that use them only", () => {
  const hub = bench();
  const [old, renewed] = [hub.tab(), hub.tab()];
  old.follow(1, LIST, "10", "list", "Bearer old");
  renewed.follow(1, LIST, "10", "list", "Bearer new");
  hub.clock.advance(100);
  assertEquals(hub.open().map(({ authorization }) => authorization), ["Bearer old", "Bearer new"]);
  hub.open()[0]!.watcher.onEnd(401, "not logged in");
  assertEquals([old.over(), renewed.over()], [[401], []]);
});

Deno.test("Hub: with a single user, tabs with different tokens share one connection with the newest token", () => {
  const hub = bench();
  const [one, other] = [hub.tab(), hub.tab()];
  one.followAsAny(1, LIST, "10", "Bearer a");
  hub.clock.advance(100);
  other.followAsAny(1, `${LIST}2`, "10", "Bearer b");
  hub.clock.advance(100);
  assertEquals(hub.open().map(({ authorization }) => authorization), ["Bearer b"]);
  hub.tell("11", "ADDED");
  assertEquals(one.texts(), ["ADDED"]);
});

Deno.test("Hub: a login as another user by cookie opens another connection", () => {
  const hub = bench();
  const [tab, login] = [hub.tab(), hub.tab()];
  tab.follow(1, LIST, "10");
  hub.clock.advance(100);
  login.say({ kind: "renewed" });
  hub.clock.advance(100);
  assertEquals(hub.connections.map(({ isLeft }) => isLeft), [true, false]);
  assertEquals(hub.open()[0]!.subscriptions[0]!.cursor, "10");
});

Deno.test("Hub: the connection ends with the last tab: unsubscribed, closed, or silent for half a minute", () => {
  for (const go of ["leave", "bye", "silence"] as const) {
    const hub = bench();
    const tab = hub.tab();
    tab.follow(1, LIST, "10");
    hub.clock.advance(100);
    assertEquals(hub.open().length, 1);
    if (go === "leave") tab.say({ kind: "leave", id: 1 });
    if (go === "bye") tab.say({ kind: "bye" });
    hub.clock.advance(go === "silence" ? 45_000 : 1_000);
    assertEquals(hub.open().length, 0, go);
    if (go !== "silence") continue;
    // The tab was only busy: it is notified that its subscriptions ended.
    tab.say({ kind: "here" });
    assertEquals(tab.heard.at(-1), { kind: "forgotten" });
  }
});

Deno.test("Hub: an unsubscribed item ends for its tab, others stay, and the connection is replaced later", () => {
  const hub = bench();
  const [one, other] = [hub.tab(), hub.tab()];
  one.follow(1, LIST, "10");
  other.follow(1, RUN, "10", "run");
  hub.clock.advance(100);
  other.say({ kind: "leave", id: 1 });
  hub.clock.advance(1_000);
  assertEquals(hub.connections.length, 1);
  hub.tell("11", "PATCHED", 1);
  assertEquals(other.texts(), []);
  hub.clock.advance(5_000);
  assertEquals(hub.open()[0]!.subscriptions.map(({ path }) => path), [LIST]);
});

Deno.test("Hub: subscriptions that are not shared are requested for each tab, on one connection", () => {
  const hub = bench();
  const tabs = [hub.tab(), hub.tab()];
  for (const tab of tabs) tab.follow(1, "/api/v1/stream/events/data", undefined, "alone");
  hub.clock.advance(100);
  assertEquals([hub.connections.length, hub.open()[0]!.subscriptions.length], [1, 2]);
});

Deno.test("Hub: refuses the 101st subscription, and the others continue", () => {
  const hub = bench();
  const tab = hub.tab();
  for (let id = 1; id <= 101; id++) tab.follow(id, `${LIST}${id}`, "10");
  hub.clock.advance(100);
  assertEquals(tab.over(), [429]);
  assertEquals(hub.open()[0]!.subscriptions.length, 100);
});

Deno.test("Hub: three tabs may hold connections at a time, and the next one when one is released", () => {
  const hub = bench();
  const tabs = Array.from({ length: 5 }, () => hub.tab());
  for (const tab of tabs) tab.say({ kind: "hold", id: 1 });
  const held = () => tabs.map(({ heard }) => heard.findLast((message) => message.kind === "held")?.isHeld);
  assertEquals(held(), [true, true, true, false, false]);
  tabs[0]!.say({ kind: "bye" });
  tabs[3]!.say({ kind: "hold", id: 2 });
  tabs[4]!.say({ kind: "hold", id: 2 });
  assertEquals(held(), [true, true, true, true, false]);
});
