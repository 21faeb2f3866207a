/** A refusal on a page: the card, with the way to log in and back, or out of an address that leads nowhere. */
import type { Refusal } from "../api/refusal.ts";
import { useApp } from "../app.ts";
import { RefusalCard } from "../components/refusal_card.tsx";
import type { Page } from "../model/place.ts";
import * as words from "../model/text/en/refused.ts";

interface Props {
  readonly refusal: Refusal;
  readonly onAgain?: (() => void) | undefined;
  /** Whether it stands in place of the whole page. */
  readonly isPage?: boolean;
}

/** The card. */
export function Refused({ refusal, onAgain, isPage = false }: Props) {
  const app = useApp();
  const list = isPage && refusal.kind === "absent" ? listBehind(app.place.value.page) : undefined;
  return (
    <RefusalCard
      refusal={refusal}
      login={app.session.login}
      loginHref={app.hrefOf({ page: { kind: "login" }, query: [["redirect", location.href]] })}
      onAgain={onAgain}
      isPage={isPage}
    >
      {list && <a class="button" href={app.hrefOf({ page: list, query: [] })}>{words.showListButton}</a>}
    </RefusalCard>
  );
}

const LISTS = { run: "runs", template: "templates", cron: "crons" } as const;

/** The list in which the object of a page would stand. */
function listBehind(page: Page): Page | undefined {
  if (page.kind === "cluster-template") return { kind: "cluster-templates" };
  return page.kind === "run" || page.kind === "template" || page.kind === "cron"
    ? { kind: LISTS[page.kind], namespace: page.namespace }
    : undefined;
}
