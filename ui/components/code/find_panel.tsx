/** The search of the text field, above the text: search and replace. */
import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  SearchQuery,
  setSearchQuery,
} from "@codemirror/search";
import type { EditorView, Panel } from "@codemirror/view";
import { runScopeHandlers } from "@codemirror/view";
import { render } from "preact";
import * as words from "../../model/text/en/editor.ts";

/** Creates the panel; it is created again each time it is opened. */
export function makeFindPanel(view: EditorView): Panel {
  const dom = document.createElement("div");
  render(<FindPanel view={view} />, dom);
  const first = dom.querySelector("input");
  // The field focuses the element with this attribute.
  first?.setAttribute("main-field", "true");
  return { dom, top: true, mount: () => first?.select(), destroy: () => render(null, dom) };
}

function FindPanel({ view }: { readonly view: EditorView }) {
  const { search, replace, caseSensitive } = getSearchQuery(view.state);
  const set = (changed: { search?: string; replace?: string; caseSensitive?: boolean }) => {
    const before = getSearchQuery(view.state);
    const query = new SearchQuery({
      search: before.search,
      replace: before.replace,
      caseSensitive: before.caseSensitive,
      // The text is searched literally, not as a pattern.
      literal: true,
      ...changed,
    });
    view.dispatch({ effects: setSearchQuery.of(query) });
  };
  return (
    <div
      class="find"
      role="search"
      aria-label={words.findLabel}
      onKeyDown={(event) => {
        if (runScopeHandlers(view, event, "search-panel")) event.preventDefault();
        else if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
          event.preventDefault();
          const isSearch = event.target.hasAttribute("main-field");
          if (!isSearch) replaceNext(view);
          else if (event.shiftKey) findPrevious(view);
          else findNext(view);
        }
      }}
    >
      <input
        aria-label={words.findField}
        placeholder={words.findField}
        defaultValue={search}
        onInput={(event) => set({ search: event.currentTarget.value })}
      />
      <button type="button" onClick={() => findNext(view)}>{words.nextButton}</button>
      <button type="button" onClick={() => findPrevious(view)}>{words.previousButton}</button>
      <label>
        <input
          type="checkbox"
          defaultChecked={caseSensitive}
          onChange={(event) => set({ caseSensitive: event.currentTarget.checked })}
        />
        {words.caseField}
      </label>
      <input
        aria-label={words.replaceField}
        placeholder={words.replaceField}
        defaultValue={replace}
        onInput={(event) => set({ replace: event.currentTarget.value })}
      />
      <button type="button" onClick={() => replaceNext(view)}>{words.replaceButton}</button>
      <button type="button" onClick={() => replaceAll(view)}>{words.replaceAllButton}</button>
      <button type="button" aria-label={words.closeButton} onClick={() => closeSearchPanel(view)}>✕</button>
    </div>
  );
}
