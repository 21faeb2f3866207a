/** The namespace selector of lists, remembered for the next visit. */
import { useSignal } from "@preact/signals";
import { Refusal } from "../api/refusal.ts";
import type { RunQuery } from "../api/source.ts";
import { useApp } from "../app.ts";
import type { Page } from "../model/place.ts";
import * as words from "../model/text/en/frame.ts";
import * as shared from "../model/text/en/shared.ts";

const ALL: RunQuery = { namespace: "", phases: [], labels: [] };

/** The form; not rendered if the installation has a single namespace. It suggests the namespaces that have runs. */
export function NamespaceChoice() {
  const app = useApp();
  const { page } = app.place.value;
  const names = useSignal<readonly string[] | undefined>(undefined);
  if (app.info.value.managedNamespace !== "" || !isList(page)) return null;
  const suggest = async () => {
    if (names.value !== undefined || app.info.value.extensions?.includes("activity") !== true) return;
    names.value = [];
    try {
      const { namespaces } = await app.source.activity(ALL, { since: app.now.peek(), step: 1000, count: 1 });
      names.value = namespaces;
    } catch (error) {
      // Users who may list only some namespaces type their names.
      if (!(error instanceof Refusal)) throw error;
    }
  };
  const choose = (name: string) => app.go({ page: inNamespace(page, name), query: [] });
  return (
    <form
      class="namespace"
      onSubmit={(event) => {
        event.preventDefault();
        choose(String(new FormData(event.currentTarget).get("namespace") ?? "").trim());
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
          autocomplete="off"
          list="namespaces"
          onFocus={() => void suggest()}
          onInput={(event) => {
            const { value } = event.currentTarget;
            // Typing can pass through the name of another namespace; a chosen suggestion is complete.
            const { inputType = "" } = event as Partial<InputEvent>;
            const isChosen = inputType === "" || inputType === "insertReplacementText";
            if (isChosen && names.value?.includes(value)) choose(value);
          }}
        />
      </label>
      <datalist id="namespaces">{names.value?.map((name) => <option key={name} value={name} />)}</datalist>
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
