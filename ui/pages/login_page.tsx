/** The login page: with a cluster token, or with the server's SSO provider. */
import { useSignal } from "@preact/signals";
import { Refusal } from "../api/refusal.ts";
import { useApp } from "../app.ts";
import { RefusalCard } from "../components/refusal_card.tsx";
import { parsePageAddress, valueOf } from "../model/place.ts";
import { trackPending } from "../settled.ts";
import * as words from "../model/text/en/login_page.ts";

export function LoginPage() {
  const app = useApp();
  const refusal = useSignal<Refusal | undefined>(undefined);
  const { login, modes } = app.session;
  if (login === "ticket") {
    return (
      <section class="card">
        <h1>{words.noLoginNeeded}</h1>
        <p>{words.localServerHint}</p>
        <pre class="words">tiphys ui</pre>
      </section>
    );
  }
  const back = valueOf(app.place.value.query, "redirect") ?? "";

  async function logIn(token: string): Promise<void> {
    using _waiting = trackPending();
    refusal.value = undefined;
    app.session.useToken(token);
    try {
      await app.source.userInfo();
      app.go(returnAddress(back, app.hrefOf({ page: { kind: "runs", namespace: "" }, query: [] })));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      app.session.useToken("");
      refusal.value = error;
    }
  }

  return (
    <section class="card">
      <h1>{words.loginButton}</h1>
      {modes.includes("sso") && (
        <a class="button" href={`oauth2/redirect?redirect=${encodeURIComponent(back)}`} target="_self" data-native="">
          {words.ssoButton}
        </a>
      )}
      {modes.includes("client") && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void logIn(String(new FormData(event.currentTarget).get("token") ?? ""));
          }}
        >
          <div class="field">
            <label for="token">{words.tokenField}</label>
            <input id="token" name="token" type="password" autocomplete="off" required aria-describedby="token-about" />
            <p id="token-about" class="muted">
              {words.aboutToken(<code>kubectl create token NAME</code>)}
            </p>
          </div>
          <footer class="row">
            <button type="submit" class="button primary">{words.loginButton}</button>
            <button type="button" class="button" onClick={() => app.session.useToken("")}>{words.logoutButton}</button>
          </footer>
        </form>
      )}
      {!modes.includes("client") && !modes.includes("sso") && <p>{words.noLoginRequired}</p>}
      {refusal.value && <RefusalCard refusal={refusal.value} login="token" />}
    </section>
  );
}

/** Returns the page to return to. Only addresses of this page are accepted, to prevent open redirects. */
function returnAddress(redirect: string, runsHref: string) {
  const base = runsHref.slice(0, runsHref.lastIndexOf("workflows"));
  return parsePageAddress(redirect.startsWith(base) ? redirect.slice(base.length) : "");
}
