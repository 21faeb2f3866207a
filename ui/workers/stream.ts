/** The shared worker of all tabs, which holds the stream from the server. */
import { bytesOf, type Exchange, linesOf } from "../api/exchange.ts";
import { asRefusal } from "../api/refusal.ts";
import type { FromHub, ToHub } from "../api/stream_talk.ts";
import { type ConnectionWatcher, Hub, type Subscription, type Tab } from "../model/stream/hub.ts";

/** This script is in `assets/` below the base. */
const base = new URL("../", location.href).href;

const hub = new Hub({
  connect(authorization, subscriptions, watcher) {
    const left = new AbortController();
    void read(authorization, subscriptions, watcher, left.signal);
    return () => left.abort();
  },
  now: () => Date.now(),
  after(millis, act) {
    const timer = setTimeout(act, millis);
    return () => clearTimeout(timer);
  },
});

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (!port) return;
  const tab = tabOfPort(port);
  port.onmessage = ({ data }: MessageEvent<ToHub>) => hub.handle(tab, data);
});

/** A tab behind a port: messages of one subscription at the same moment are combined. */
function tabOfPort(port: MessagePort): Tab {
  let waiting: FromHub[] = [];
  let texts: string[] = [];
  const send = () => {
    const sent = waiting;
    waiting = [];
    for (const message of sent) port.postMessage(message);
  };
  return {
    send(message) {
      const last = waiting.at(-1);
      if (message.kind === "told" && last?.kind === "told" && last.id === message.id) {
        texts.push(...message.texts);
        return;
      }
      if (waiting.length === 0) queueMicrotask(send);
      if (message.kind === "told") waiting.push({ ...message, texts: texts = [...message.texts] });
      else waiting.push(message);
    },
  };
}

async function read(
  authorization: string | undefined,
  subscriptions: readonly Subscription[],
  watcher: ConnectionWatcher,
  signal: AbortSignal,
): Promise<void> {
  const exchange: Exchange = {
    base,
    authorization: () => authorization,
    fetch: (url, init) => fetch(url, { ...init, credentials: authorization === undefined ? "same-origin" : "omit" }),
  };
  const asked = {
    tried: "watch the runs that tabs of this browser show",
    method: "POST",
    path: "tiphys/v1/stream",
    body: { subscriptions },
    signal,
  };
  try {
    let [id, cursor, text]: (string | undefined)[] = [];
    for await (const lines of linesOf(bytesOf(exchange, asked, { onLife: watcher.onBytes }))) {
      for (const line of lines) {
        if (line.startsWith("event: ")) id = line.slice("event: ".length);
        else if (line.startsWith("id: ")) cursor = line.slice("id: ".length);
        else if (line.startsWith("data: ")) text = line.slice("data: ".length);
        else if (line === "" && id !== undefined) {
          watcher.onMessage(id, cursor, text);
          id = cursor = text = undefined;
        }
      }
    }
    watcher.onEnd(undefined, "the stream was interrupted");
  } catch (error) {
    const { status, message } = asRefusal(error);
    watcher.onEnd(status, message);
  }
}
