/** A refusal as users see it: the attempt, the server's message, and advice. */
import type { ComponentChildren } from "preact";
import type { Refusal } from "../api/refusal.ts";
import { refusalText } from "../model/refusal_text.ts";
import type { Login } from "../api/session.ts";
import * as words from "../model/text/en/shared.ts";

interface Props {
  readonly refusal: Refusal;
  readonly login: Login;
  readonly loginHref?: string | undefined;
  readonly onAgain?: (() => void) | undefined;
  /** Whether it replaces the whole page, so that its title is the page heading. */
  readonly isPage?: boolean;
  /** Further actions of the page. */
  readonly children?: ComponentChildren;
}

export function RefusalCard({ refusal, login, loginHref, onAgain, isPage = false, children }: Props) {
  const { title, advice, action } = refusalText(refusal.kind, { login });
  return (
    <section class="card refusal" role="alert">
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      <p class="muted">{words.attemptText(refusal.tried)}</p>
      {refusal.message !== "" && <pre class="words">{refusal.message}</pre>}
      <p>{advice}</p>
      {action === "login" && loginHref && <a class="button primary" href={loginHref}>{words.logInButton}</a>}
      {action === "reload" && (
        <button type="button" class="button primary" onClick={() => location.reload()}>{words.reloadButton}</button>
      )}
      {(action === "again" || action === "reload") && onAgain && (
        <button type="button" class="button" onClick={onAgain}>{words.tryAgainButton}</button>
      )}
      {children}
    </section>
  );
}
