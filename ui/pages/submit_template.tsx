/** The dialog that submits a run from a template. Its values are in the address, so that the form can be shared. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Refusal } from "../api/refusal.ts";
import type { SubmitRequest, TemplateKind } from "../api/source.ts";
import type { WorkflowSpec } from "@tiphys/model/api";
import { useApp } from "../app.ts";
import { CreatedObject } from "../components/created_object.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Refused } from "./refused.tsx";
import { SubmitForm } from "../components/submit_form.tsx";
import { submitLine } from "../model/cli_line.ts";
import { manifestText } from "../model/manifest.ts";
import {
  areAllUploaded,
  artifactFieldsOf,
  entrypointsOf,
  fieldsOf,
  missingFields,
  missingFiles,
  parametersToSend,
  queryWithValues,
  type UploadState,
  valuesInQuery,
} from "../model/submit_form.ts";
import { trackPending } from "../settled.ts";
import * as words from "../model/text/en/submission.ts";
import * as shared from "../model/text/en/shared.ts";

interface Props {
  readonly kind: TemplateKind;
  readonly namespace: string;
  readonly name: string;
  readonly spec: WorkflowSpec;
  /** The rights that are missing to submit it. */
  readonly lack: string | undefined;
  readonly onClose: () => void;
}

export function SubmitTemplate({ kind, namespace, name, spec, lack, onClose }: Props) {
  const app = useApp();
  const entrypoints = entrypointsOf(spec);
  const entrypoint = useSignal(entrypoints[0] ?? "");
  const where = useSignal(namespace || app.info.value.managedNamespace || "default");
  const isBusy = useSignal(false);
  const hasTried = useSignal(false);
  const created = useSignal<string | undefined>(undefined);
  const line = useSignal<{ readonly text: string; readonly isCopied: boolean } | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const fields = fieldsOf(spec, entrypoint.value);
  const values = valuesInQuery(app.place.value.query);
  const uploads = useSignal<ReadonlyMap<string, UploadState>>(new Map());
  // Servers accept uploads for namespaced templates only.
  const artifacts = kind === "WorkflowTemplate" ? artifactFieldsOf(spec) : [];
  const missing = missingFields(fields, values);
  const withoutFile = missingFiles(artifacts, uploads.value);
  // One upload per artifact: a newly chosen file replaces the previous one, whichever finishes first.
  const underWay = useRef(new Map<string, AbortController>()).current;
  useEffect(() => () => underWay.forEach((controller) => controller.abort()), []);
  const isSending = [...uploads.value.values()].some((upload) => upload.kind === "sending");

  async function upload(artifact: string, chosen: File | undefined): Promise<void> {
    using _waiting = trackPending();
    underWay.get(artifact)?.abort();
    underWay.delete(artifact);
    if (!chosen) {
      uploads.value = new Map([...uploads.value].filter(([name]) => name !== artifact));
      return;
    }
    const own = new AbortController();
    underWay.set(artifact, own);
    const { signal } = own;
    const file = chosen.name;
    const tell = (state: UploadState) => {
      if (!signal.aborted) uploads.value = new Map([...uploads.value, [artifact, state]]);
    };
    tell({ kind: "sending", file });
    try {
      tell({ kind: "there", file, key: await app.source.uploadArgument(where.value, name, artifact, chosen, signal) });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      tell({ kind: "refused", file, words: error.message });
    }
  }

  const request = (): SubmitRequest => ({
    kind,
    name,
    entrypoint: entrypoint.value === spec.entrypoint ? undefined : entrypoint.value,
    parameters: parametersToSend(fields, values),
    artifacts: [...uploads.value].flatMap(([name, upload]) => upload.kind === "there" ? [`${name}=${upload.key}`] : []),
    labels: "submit-from-ui=true",
  });

  /** Copies the command to the clipboard if possible, and shows it in any case. */
  async function copyLine(): Promise<void> {
    const text = submitLine(where.value, request());
    const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;
    line.value = { text, isCopied };
  }

  async function submit(isDryRun: boolean): Promise<void> {
    hasTried.value = true;
    if (missing.length + withoutFile.length > 0 || !areAllUploaded(uploads.value)) return;
    using _waiting = trackPending();
    isBusy.value = true;
    refusal.value = undefined;
    created.value = undefined;
    try {
      const run = await app.source.submitRun(where.value, request(), { isDryRun });
      const { metadata } = run;
      if (isDryRun) {
        created.value = manifestText(run);
        return;
      }
      app.go({
        page: { kind: "run", namespace: metadata.namespace ?? where.value, name: metadata.name ?? "" },
        query: [],
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal.value = error;
    } finally {
      isBusy.value = false;
    }
  }

  return (
    <Dialog title={words.submitTitle(name)} onClose={onClose} isWide>
      {kind === "ClusterWorkflowTemplate" && (
        <label class="field">
          <span>{shared.namespaceField}</span>
          <input value={where.value} onInput={(event) => where.value = event.currentTarget.value} />
        </label>
      )}
      <SubmitForm
        entrypoints={entrypoints}
        entrypoint={entrypoint.value}
        fields={fields}
        values={values}
        missing={hasTried.value ? missing : []}
        missingFiles={hasTried.value ? withoutFile : []}
        artifacts={artifacts}
        uploads={uploads.value}
        onFile={(artifact, file) => void upload(artifact, file)}
        isBusy={isBusy.value || isSending}
        lack={lack}
        onEntrypoint={(next) => entrypoint.value = next}
        onValue={(field, value) =>
          app.go({
            ...app.place.value,
            query: queryWithValues(app.place.value.query, new Map([...values, [field, value]])),
          }, { replace: true })}
        onSubmit={() => void submit(false)}
        onTry={() => void submit(true)}
        onLine={() => void copyLine()}
      />
      {line.value && (
        <p class="told" role="status">
          <code class="foreign">{line.value.text}</code>
          {line.value.isCopied && <span class="muted">{words.isCopied}</span>}
        </p>
      )}
      {created.value && <CreatedObject text={created.value} onClose={() => created.value = undefined} />}
      {refusal.value && <Refused refusal={refusal.value} />}
    </Dialog>
  );
}
