/** The namespace selector of lists, remembered for the next visit. */
import { useApp } from "../app.ts";
import type { Page } from "../model/place.ts";
import * as words from "../model/text/en/namespace_choice.ts";
import * as shared from "../model/text/en/shared.ts";

/** The form; not rendered if the installation has a single namespace. */
export function NamespaceChoice() {
  const app = useApp();
  const { page } = app.place.value;
  if (app.info.value.managedNamespace !== "" || !isList(page)) return null;
  return (
    <form
      class="namespace"
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget).get("namespace");
        app.go({ page: inNamespace(page, String(given ?? "").trim()), query: [] });
      }}
    >
      <label>
        <span class="muted">{shared.namespaceField}</span>{" "}
        <input
          key={page.namespace}
          name="namespace"
          defaultValue={page.namespace}
          placeholder={words.allNamespaces}
          size={12}
        />
      </label>
    </form>
  );
}

type ListPage = Extract<Page, { kind: "runs" | "templates" | "crons" | "reports" | "events" | "event-flow" }>;

/** Returns the same list in another namespace. */
function inNamespace(page: ListPage, namespace: string): ListPage {
  return page.kind === "events" ? { ...page, namespace, name: undefined } : { ...page, namespace };
}

function isList(page: Page): page is ListPage {
  return page.kind === "runs" || page.kind === "templates" || page.kind === "crons" ||
    page.kind === "reports" || page.kind === "events" ||
    page.kind === "event-flow";
}
