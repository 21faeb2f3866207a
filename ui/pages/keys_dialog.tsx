/** The dialog that lists the available keys. */
import { allActions } from "../actions.ts";
import { useApp } from "../app.ts";
import { Dialog } from "../components/dialog.tsx";
import { KeyTable } from "../components/key_table.tsx";
import { singleKeys } from "../settings.ts";
import * as words from "../model/text/en/keys.ts";

/** The dialog; keys of the current page come before those of the frame. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const app = useApp();
  const keys = allActions().flatMap(({ name, key }) => key === undefined ? [] : [[key, name] as const]);
  return (
    <Dialog title={words.keysHeading} onClose={onClose}>
      <div class="keys-dialog scroll-x" tabIndex={0} role="region" aria-label={words.keysHeading}>
        <KeyTable keys={[...keys, ["Ctrl K", words.searchAction]]} />
      </div>
      <p class="muted">
        {singleKeys.value ? words.lettersAct : words.lettersAreOff}{" "}
        <a href={app.hrefOf({ page: { kind: "you" }, query: [] })} onClick={onClose}>{words.settingsLink}</a>{" "}
        <a href={app.hrefOf({ page: { kind: "help" }, query: [] })} onClick={onClose}>{words.helpLink}</a>
      </p>
    </Dialog>
  );
}
