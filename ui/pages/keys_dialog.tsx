/** The dialog that lists the available keys. */
import { useMemo } from "preact/hooks";
import { type Action, allActions } from "../actions.ts";
import { useApp } from "../app.ts";
import { Dialog } from "../components/dialog.tsx";
import { KeyTable } from "../components/key_table.tsx";
import { singleKeys } from "../settings.ts";
import * as words from "../model/text/en/keys.ts";

const rowsOf = (actions: readonly Action[]) =>
  actions.flatMap(({ name, key }) => key === undefined ? [] : [[key, name] as const]);

/** The dialog; keys of the current page come before those of the frame, and keys without effect come last. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const app = useApp();
  // Computed before the dialog takes the focus, because actions depend on it.
  const [keys, idle] = useMemo(() => {
    const { here = [], elsewhere = [] } = Object.groupBy(
      allActions(),
      ({ isHere }) => isHere?.() === false ? "elsewhere" : "here",
    );
    return [rowsOf(here), rowsOf(elsewhere)];
  }, []);
  return (
    <Dialog title={words.keysHeading} onClose={onClose}>
      <div class="keys-dialog scroll-x" tabIndex={0} role="region" aria-label={words.keysHeading}>
        <KeyTable keys={[...keys, ["Ctrl K", words.searchAction]]} />
        {idle.length > 0 && (
          <section aria-label={words.idleKeysHeading} class="muted">
            <h3>{words.idleKeysHeading}</h3>
            <KeyTable keys={idle} />
          </section>
        )}
      </div>
      <p class="muted">
        {singleKeys.value ? words.lettersAct : words.lettersAreOff}{" "}
        <a href={app.hrefOf({ page: { kind: "you" }, query: [] })} onClick={onClose}>{words.settingsLink}</a>{" "}
        <a href={app.hrefOf({ page: { kind: "help" }, query: [] })} onClick={onClose}>{words.helpLink}</a>
      </p>
    </Dialog>
  );
}
