/** The dialog in which the user writes a new run. */
import type { Workflow } from "@tiphys/model/api";
import { useApp } from "../app.ts";
import { Dialog } from "../components/dialog.tsx";
import { exampleOf } from "../model/examples.ts";
import { ManifestEditor } from "./editor_part.tsx";
import * as words from "../model/text/en/runs_page.ts";
import * as shared from "../model/text/en/shared.ts";

interface Props {
  readonly namespace: string;
  readonly onClose: () => void;
}

/** The dialog. */
export function SubmitNew({ namespace, onClose }: Props) {
  const app = useApp();
  const where = namespace || app.info.value.managedNamespace || "default";
  const create = (object: unknown, isDryRun: boolean) => {
    const given = object as Workflow;
    const labels = { ...given.metadata?.labels, "submit-from-ui": "true" };
    const run = { ...given, metadata: { ...given.metadata, labels } };
    return app.source.createRun(given.metadata?.namespace ?? where, run, { isDryRun });
  };
  return (
    <Dialog title={words.newRunButton} onClose={onClose} isWide>
      <ManifestEditor
        label={words.manifestLabel}
        object={exampleOf("Workflow", where)}
        action={shared.submitButton}
        onTry={(object) => create(object, true)}
        onSend={async (object) => {
          const { metadata } = await create(object, false);
          app.go({
            page: { kind: "run", namespace: metadata.namespace ?? where, name: metadata.name ?? "" },
            query: [],
          });
        }}
      />
    </Dialog>
  );
}
