/** A link to the documentation that the server serves with the page. */
import { useApp } from "../app.ts";
import type { Page } from "../model/place.ts";
import * as shared from "../model/text/en/shared.ts";

/** The sections of `docs/page.md` about pages. */
const SECTIONS: Readonly<Partial<Record<Page["kind"], string>>> = {
  runs: "the-list-of-runs",
  run: "a-run",
  crons: "schedules",
  cron: "schedules",
  events: "events",
  "event-flow": "events",
  reports: "reports-and-steps",
  you: "settings",
  login: "settings",
  help: "api-and-help",
  api: "api-and-help",
  unknown: "",
};

/**
 * The link, by default to the section about the current page; nothing if the server has no documentation, as Argo's.
 */
export function DocsLink({ to, text = shared.docsLink }: {
  /** The address below `docs/`, such as `reference/fields.html#parameter`. */
  readonly to?: string;
  readonly text?: string;
}) {
  const { info, place } = useApp();
  if (!info.value.extensions?.length) return null;
  const path = to ?? `page.html#${SECTIONS[place.value.page.kind] ?? "templates"}`;
  return <a class="docs" href={`docs/${path}`} target="_blank" rel="noopener noreferrer">{text}</a>;
}
