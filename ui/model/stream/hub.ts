/**
 * The stream that all tabs of a browser share. A subscription of several tabs is requested once. When one is added, the
 * connection is replaced by one with all subscriptions, each resumed from its last version. Pure: network and clock are
 * injected.
 */
import { type FromHub, HEARTBEAT_MILLIS, type Sharing, streamErrorOf, type ToHub } from "../../api/stream_talk.ts";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import * as words from "../text/en/stream.ts";

/** A tab, as the hub sends messages to it. */
export interface Tab {
  send(message: FromHub): void;
}

/** A subscription of a connection. */
export interface Subscription {
  readonly id: string;
  readonly path: string;
  readonly cursor?: string;
}

/** Receives the events of a connection until it is closed. */
export interface ConnectionWatcher {
  /** Bytes arrived. */
  onBytes(): void;
  /** A message arrived, with the ID of its subscription, the version after it, and its text if it has one. */
  onMessage(id: string, cursor: string | undefined, text: string | undefined): void;
  /** The connection ended, or was refused with a status; 0 if it broke. */
  onEnd(status: number | undefined, message: string): void;
}

/** The environment of the hub. */
export interface HubEdge {
  /** Opens a connection; the result closes it. */
  connect(
    authorization: string | undefined,
    subscriptions: readonly Subscription[],
    watcher: ConnectionWatcher,
  ): () => void;
  now(): number;
  /** Calls `act` once, later; the result cancels it. */
  after(millis: number, act: () => void): () => void;
}

/** Subscriptions added within this time share one new connection. */
const ADDED_MILLIS = 20;
/**
 * The time for which unused subscriptions stay open, unless the connection is replaced earlier. The last one is closed
 * much sooner.
 */
const LEFT_MILLIS = 5_000;
/** A connection is considered dead after this silence: the server sends a heartbeat every 15 s. */
const SILENCE_MILLIS = 40_000;
/** The minimum time between two heartbeats to tabs. */
const LIFE_MILLIS = 5_000;
/** A tab is considered closed after this silence. */
const GONE_MILLIS = 35_000;
/** The server's limit of subscriptions per connection. */
const MAX_ITEMS = 100;
/** The maximum number of further connections that tabs may hold: browsers allow six per server. */
const MAX_HELD = 3;
/** Limits of the messages that are kept for tabs that join later. */
const MAX_KEPT = 200;
const MAX_KEPT_CHARACTERS = 4_000_000;

/** The key of all tokens if the server has a single user. */
const ANY_TOKEN = "any token";
/** Status codes by which a server reports that the route does not exist. */
const ABSENT = new Set([404, 405, 501]);

interface TabState {
  lastMessageAt: number;
  readonly followed: Map<number, Upstream>;
  readonly held: Set<number>;
}

interface Follower {
  readonly tab: Tab;
  readonly id: number;
  /** The version that the tab has. */
  position: string | undefined;
  /** Whether the tab has a newer version than the others: messages up to it are skipped. */
  isAhead: boolean;
  isOpen: boolean;
}

interface KeptMessage {
  readonly text: string;
  /** The versions before and after the message. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Whether it is a patch, which requires the previous state. */
  readonly isPatch: boolean;
  /** Whether it has its own version. */
  readonly isNumbered: boolean;
}

interface Upstream {
  readonly id: string;
  readonly line: UserConnection;
  readonly path: string;
  readonly sharing: Sharing;
  cursor: string | undefined;
  isOpen: boolean;
  readonly followers: Set<Follower>;
  messages: KeptMessage[];
  keptCharacters: number;
  /** The version before the first kept message. */
  keptFrom: string | undefined;
}

/** Everything that one user follows. */
interface UserConnection {
  readonly key: string;
  authorization: string | undefined;
  readonly upstreams: Map<string, Upstream>;
  leave: (() => void) | undefined;
  due: number;
  takeBack: () => void;
}

/** The hub. */
export class Hub {
  readonly #edge: HubEdge;
  readonly #tabs = new Map<Tab, TabState>();
  readonly #lines = new Map<string, UserConnection>();
  #nextId = 1;
  #isWatching = false;

  constructor(edge: HubEdge) {
    this.#edge = edge;
  }

  /** Handles a message from a tab. */
  handle(tab: Tab, message: ToHub): void {
    if (message.kind === "bye") return this.#removeTab(tab);
    if (message.kind === "renewed") {
      return this.#lines.get("")?.upstreams.forEach(({ line }) => this.#scheduleConnection(line, 0));
    }
    const known = this.#tabs.get(tab);
    if (!known && message.kind !== "follow" && message.kind !== "hold") {
      return message.kind === "here" ? tab.send({ kind: "forgotten" }) : undefined;
    }
    const heard = known ?? { lastMessageAt: 0, followed: new Map(), held: new Set() };
    heard.lastMessageAt = this.#edge.now();
    if (!known) {
      this.#tabs.set(tab, heard);
      this.#watchTabs();
    }
    switch (message.kind) {
      case "follow":
        return this.#follow(tab, heard, message);
      case "hold":
        return this.#requestTurn(tab, heard, message.id);
      case "leave":
        heard.held.delete(message.id);
        return this.#leave(tab, heard, message.id);
    }
  }

  #requestTurn(tab: Tab, state: TabState, id: number): void {
    let count = 0;
    for (const { held } of this.#tabs.values()) count += held.size;
    const isHeld = count < MAX_HELD;
    if (isHeld) state.held.add(id);
    tab.send({ kind: "held", id, isHeld });
  }

  #follow(tab: Tab, state: TabState, message: Extract<ToHub, { kind: "follow" }>): void {
    const { id, path, from, sharing } = message;
    tab.send({ kind: "taken", id });
    const line = this.#lineOf(message);
    const follower: Follower = { tab, id, position: from, isAhead: false, isOpen: false };
    const same = sharing === "alone"
      ? undefined
      : [...line.upstreams.values()].find((upstream) => upstream.path === path && upstream.sharing === sharing);
    if (!same && line.upstreams.size >= MAX_ITEMS) {
      return tab.send({ kind: "over", id, status: 429, message: words.tooManyFollowed(MAX_ITEMS) });
    }
    const upstream = same ?? this.#newUpstream(line, path, sharing, from);
    upstream.followers.add(follower);
    state.followed.set(id, upstream);
    if (!same) return this.#scheduleConnection(line, ADDED_MILLIS);
    if (!tryJoin(upstream, follower)) {
      restart(upstream, from);
      return this.#scheduleConnection(line, ADDED_MILLIS);
    }
    if (upstream.isOpen) sendOpen(follower);
  }

  #newUpstream(line: UserConnection, path: string, sharing: Sharing, from: string | undefined): Upstream {
    const id = String(this.#nextId++);
    const upstream: Upstream = {
      id,
      line,
      path,
      sharing,
      cursor: from,
      isOpen: false,
      followers: new Set(),
      messages: [],
      keptCharacters: 0,
      keptFrom: from,
    };
    line.upstreams.set(id, upstream);
    return upstream;
  }

  #leave(tab: Tab, state: TabState, id: number): void {
    const upstream = state.followed.get(id);
    if (!upstream) return;
    state.followed.delete(id);
    for (const follower of upstream.followers) {
      if (follower.tab === tab && follower.id === id) upstream.followers.delete(follower);
    }
    if (upstream.followers.size > 0) return;
    const { line } = upstream;
    line.upstreams.delete(upstream.id);
    this.#scheduleConnection(line, line.upstreams.size === 0 ? ADDED_MILLIS : LEFT_MILLIS);
  }

  #removeTab(tab: Tab): void {
    const known = this.#tabs.get(tab);
    if (!known) return;
    this.#tabs.delete(tab);
    for (const id of [...known.followed.keys()]) this.#leave(tab, known, id);
  }

  /** Checks for closed tabs as long as there are tabs. */
  #watchTabs(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    this.#edge.after(HEARTBEAT_MILLIS, () => {
      this.#isWatching = false;
      const oldest = this.#edge.now() - GONE_MILLIS;
      for (const [tab, { lastMessageAt: heardAt }] of [...this.#tabs]) if (heardAt < oldest) this.#removeTab(tab);
      if (this.#tabs.size > 0) this.#watchTabs();
    });
  }

  #lineOf({ authorization, isAnyToken }: Extract<ToHub, { kind: "follow" }>): UserConnection {
    const key = isAnyToken ? ANY_TOKEN : authorization ?? "";
    let line = this.#lines.get(key);
    // The newest credentials were valid most recently.
    if (line) line.authorization = authorization;
    else {
      line = { key, authorization, upstreams: new Map(), leave: undefined, due: Infinity, takeBack: () => {} };
      this.#lines.set(key, line);
    }
    return line;
  }

  /** Schedules a new connection for the current subscriptions, unless one is scheduled earlier. */
  #scheduleConnection(line: UserConnection, millis: number): void {
    const due = this.#edge.now() + millis;
    if (line.due <= due) return;
    line.takeBack();
    line.due = due;
    line.takeBack = this.#edge.after(millis, () => {
      line.due = Infinity;
      this.#replaceUpstream(line);
    });
  }

  #replaceUpstream(line: UserConnection): void {
    line.leave?.();
    line.leave = undefined;
    if (line.upstreams.size === 0) {
      this.#lines.delete(line.key);
      return;
    }
    const { now, after } = this.#edge;
    let isLeft = false;
    let hasTold = false;
    let lifeAt = -Infinity;
    let silent = () => {};
    const end = (status: number | undefined, message: string) => {
      if (isLeft) return;
      leave();
      this.#end(line, status, message, hasTold);
    };
    const alive = () => {
      silent();
      silent = after(SILENCE_MILLIS, () => end(0, words.isSilent));
    };
    const watcher: ConnectionWatcher = {
      onBytes: () => {
        if (isLeft) return;
        alive();
        if (now() - lifeAt < LIFE_MILLIS) return;
        lifeAt = now();
        const tabs = new Set(
          [...line.upstreams.values()].flatMap(({ followers }) => [...followers]).map(({ tab }) => tab),
        );
        for (const tab of tabs) tab.send({ kind: "life" });
      },
      onMessage: (id, cursor, text) => {
        if (isLeft) return;
        hasTold = true;
        const upstream = line.upstreams.get(id);
        if (upstream) this.#handleMessage(upstream, cursor, text);
      },
      onEnd: end,
    };
    alive();
    const subscriptions = [...line.upstreams.values()].map(({ id, path, cursor }) => ({
      id,
      path,
      ...(cursor === undefined ? {} : { cursor }),
    }));
    const close = this.#edge.connect(line.authorization, subscriptions, watcher);
    const leave = () => {
      isLeft = true;
      silent();
      close();
    };
    line.leave = leave;
  }

  #end(line: UserConnection, status: number | undefined, message: string, hasTold: boolean): void {
    line.takeBack();
    this.#lines.delete(line.key);
    // A connection that sent nothing valid is not a stream of this API.
    const isAbsent = !hasTold && (status === undefined || ABSENT.has(status));
    for (const upstream of line.upstreams.values()) {
      this.#finish(
        upstream,
        isAbsent ? undefined : { status: status ?? 0, message },
      );
    }
  }

  /** Ends a subscription for all its followers; without a status, the server has no such route. */
  #finish(
    { id, line, followers }: Upstream,
    over: { readonly status: number | undefined; readonly message: string } | undefined,
  ): void {
    line.upstreams.delete(id);
    for (const { tab, id } of followers) {
      this.#tabs.get(tab)?.followed.delete(id);
      tab.send(over ? { kind: "over", id, ...over } : { kind: "absent", id });
    }
  }

  #handleMessage(upstream: Upstream, cursor: string | undefined, text: string | undefined): void {
    const from = upstream.cursor;
    if (cursor !== undefined) upstream.cursor = cursor;
    if (text === undefined) return;
    if (!text.startsWith('{"result":')) return this.#handleText(upstream, text);
    const isPatch = text.startsWith('{"result":{"type":"PATCHED"');
    const message = { text, from, to: upstream.cursor, isPatch, isNumbered: cursor !== undefined };
    cacheMessage(upstream, message);
    for (const follower of [...upstream.followers]) {
      if (forward(upstream, follower, message)) continue;
      upstream.followers.delete(follower);
      this.#tabs.get(follower.tab)?.followed.delete(follower.id);
      follower.tab.send({ kind: "over", id: follower.id, status: 410, message: words.stateMissed });
    }
  }

  #handleText(upstream: Upstream, text: string): void {
    const { open, over, error } = fieldsOfJson(text);
    if (open === true) {
      upstream.isOpen = true;
      for (const follower of upstream.followers) sendOpen(follower);
    } else if (over === true) this.#finish(upstream, { status: undefined, message: "" });
    else if (error !== undefined) this.#finish(upstream, streamErrorOf(error));
  }
}

function sendOpen(follower: Follower): void {
  if (follower.isOpen) return;
  follower.isOpen = true;
  follower.tab.send({ kind: "open", id: follower.id });
}

/** Lets a tab join at the version that it has, using the kept messages; returns whether that is possible. */
function tryJoin(upstream: Upstream, follower: Follower): boolean {
  return upstream.sharing === "list" ? tryJoinList(upstream, follower) : tryJoinRun(upstream, follower);
}

function tryJoinList({ messages, keptFrom, cursor }: Upstream, follower: Follower): boolean {
  const { position } = follower;
  if (position === undefined || keptFrom === undefined || isLater(keptFrom, position)) return false;
  const missed = messages.filter(({ to, isNumbered }) =>
    to === undefined || isLater(to, position) || !isNumbered && to === position
  );
  replay(follower, missed);
  follower.isAhead = cursor !== undefined && isLater(position, cursor);
  return true;
}

function tryJoinRun({ messages, cursor }: Upstream, follower: Follower): boolean {
  const { position } = follower;
  if (position !== undefined && position === cursor) return true;
  const after = position === undefined ? -1 : messages.findIndex(({ from }) => from === position);
  const index = after >= 0 ? after : messages.findLastIndex(({ isPatch }) => !isPatch);
  if (index < 0) return false;
  replay(follower, messages.slice(index));
  return true;
}

function replay(follower: Follower, missed: readonly KeptMessage[]): void {
  if (missed.length === 0) return;
  follower.position = missed.at(-1)!.to ?? follower.position;
  follower.tab.send({ kind: "told", id: follower.id, texts: missed.map(({ text }) => text) });
}

/**
 * Requests everything again, also for existing followers: a list from the oldest version, a run from its full state.
 */
function restart(upstream: Upstream, from: string | undefined): void {
  const { sharing, followers } = upstream;
  upstream.cursor = sharing === "list" ? from : undefined;
  upstream.keptFrom = upstream.cursor;
  upstream.messages = [];
  upstream.keptCharacters = 0;
  for (const follower of followers) follower.isAhead = sharing === "list";
}

function cacheMessage(upstream: Upstream, message: KeptMessage): void {
  if (upstream.sharing === "alone") return;
  upstream.messages.push(message);
  upstream.keptCharacters += message.text.length;
  while (upstream.messages.length > MAX_KEPT || upstream.keptCharacters > MAX_KEPT_CHARACTERS) {
    const oldest = upstream.messages.shift()!;
    upstream.keptCharacters -= oldest.text.length;
    upstream.keptFrom = oldest.to;
  }
}

/** Forwards a message that a tab does not have; returns whether it continues from the tab's version. */
function forward(
  { sharing }: Upstream,
  follower: Follower,
  { text, from, to, isPatch, isNumbered }: KeptMessage,
): boolean {
  if (sharing === "run" && isPatch && follower.position !== from) return false;
  if (follower.isAhead && isNumbered && follower.position !== undefined) {
    if (!isLater(to!, follower.position)) return true;
    follower.isAhead = false;
  }
  follower.position = to ?? follower.position;
  follower.tab.send({ kind: "told", id: follower.id, texts: [text] });
  return true;
}

/** Reports whether a version is later than another one; versions are decimal numbers without leading zeros. */
function isLater(one: string, other: string): boolean {
  return one.length === other.length ? one > other : one.length > other.length;
}
