/** Starts the page: the session, the address, the source, and the frame around all pages. */
import { render } from "preact";
import { effect, signal } from "@preact/signals";
import { argoSource } from "./api/argo_source.ts";
import { asRefusal, Refusal } from "./api/refusal.ts";
import { type Login, openSession } from "./api/session.ts";
import { SharedStream } from "./api/shared_stream.ts";
import { dropPreparedThread, prepareThread } from "./api/thread_url.ts";
import type { ServerInfo } from "./api/source.ts";
import { AppContext } from "./app.ts";
import { RefusalCard } from "./components/refusal_card.tsx";
import { startKeys } from "./actions.ts";
import { requestEarly } from "./pages/early_source.ts";
import { recordUncaughtErrors } from "./pages/faults.tsx";
import { importArgoFilters, keepSettings } from "./settings.ts";
import { startNavigation } from "./navigation.ts";
import { loadPage, Shell } from "./shell.tsx";
import { trackPending } from "./settled.ts";
import { brand } from "./model/text/en/frame.ts";

const base = document.baseURI.split(/[?#]/)[0]!;
const login: Login = document.documentElement.dataset.login === "ticket" ? "ticket" : "token";

// The page's policy forbids compiling code from text. zod tries that when the first schema is created, and the policy
// would report it, so it is disabled before modules with schemas are loaded.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

async function start(root: HTMLElement): Promise<void> {
  using _waiting = trackPending();
  const navigation = startNavigation(base);
  loadPage(navigation.place.value.page);
  keepSettings();
  startKeys();
  const begun = await openSession({ login, modes: (document.documentElement.dataset.modes ?? "").split(" ") }, base);
  const shared = new SharedStream(begun.authorization, login === "ticket");
  const session = {
    ...begun,
    useToken(token: string) {
      begun.useToken(token);
      shared.updateLogin();
    },
  };
  const server = argoSource({
    shared,
    base,
    authorization: () => session.authorization(),
    fetch: (url, init) => fetch(url, { ...init, credentials: login === "ticket" ? "omit" : "same-origin" }),
  });
  // An address without a page is the list with its last settings.
  if (location.href.split("#")[0] === base) {
    const kept = importArgoFilters();
    if (kept) navigation.go(kept, { replace: true });
  }
  // Sent before less urgent requests, and before the frame is rendered.
  const opened = navigation.place.value;
  const { source, cancelUnused } = requestEarly(server, opened, () => prepareThread("graph"));
  effect(() => {
    if (navigation.place.value.page === opened.page) return;
    cancelUnused();
    dropPreparedThread("graph");
  });
  const info = signal<ServerInfo>({
    managedNamespace: "",
    links: [],
    columns: [],
    navColor: "",
    greetings: [],
    prices: undefined,
    extensions: undefined,
  });
  const version = signal("");
  const now = signal(Date.now());
  setInterval(() => now.value = Date.now(), 1000);
  // The settings hardly affect the first rendering, so they are not awaited; pages report refusals.
  source.info().then((value) => info.value = value, ignoreRefusal);
  source.version().then((value) => version.value = value, ignoreRefusal);
  const app = { source, session, info, version, now, ...navigation };
  // Removes the text of `index.html` for a page that fails to start.
  root.replaceChildren();
  render(
    <AppContext.Provider value={app}>
      <Shell />
    </AppContext.Provider>,
    root,
  );
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

const root = document.getElementById("page");
// deno-lint-ignore tiphys/words-in-one-place -- for developers who change index.html
if (!root) throw new Error("Expected an element with the id page");
recordUncaughtErrors();
start(root).catch((error) => {
  root.replaceChildren();
  render(
    <main id="main">
      <h1 class="hidden">{brand}</h1>
      <RefusalCard refusal={asRefusal(error)} login={login} />
    </main>,
    root,
  );
});
