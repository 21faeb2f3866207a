/** A refusal on a page, with a link to log in, or to the list if the object was not found. */
import type { Refusal } from "../api/refusal.ts";
import { useApp } from "../app.ts";
import { RefusalCard } from "../components/refusal_card.tsx";
import type { Page } from "../model/place.ts";
import * as words from "../model/text/en/shared.ts";

interface Props {
  readonly refusal: Refusal;
  readonly onAgain?: (() => void) | undefined;
  /** Whether it replaces the whole page. */
  readonly isPage?: boolean;
}

export function Refused({ refusal, onAgain, isPage = false }: Props) {
  const app = useApp();
  const list = isPage && refusal.kind === "absent" ? listPageOf(app.place.value.page) : undefined;
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

/** Returns the list that would contain the object of a page. */
function listPageOf(page: Page): Page | undefined {
  if (page.kind === "cluster-template") return { kind: "cluster-templates" };
  return page.kind === "run" || page.kind === "template" || page.kind === "cron"
    ? { kind: LISTS[page.kind], namespace: page.namespace }
    : undefined;
}
