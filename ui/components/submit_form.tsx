/** The form that submits a run: entrypoint, parameters, files and labels. */
import { useRef } from "preact/hooks";
import { ParameterDocs, ParameterField } from "./parameter_field.tsx";
import type { ArtifactField, Field, UploadState } from "../model/submit_form.ts";
import * as words from "../model/text/en/submission.ts";
import * as shared from "../model/text/en/shared.ts";

interface Props {
  readonly entrypoints: readonly string[];
  readonly entrypoint: string;
  readonly fields: readonly Field[];
  readonly values: ReadonlyMap<string, string>;
  /** The required parameters and artifacts without a value. */
  readonly missing: readonly string[];
  readonly missingFiles: readonly string[];
  /** The artifacts for which files can be uploaded, and the state of the uploads. */
  readonly artifacts: readonly ArtifactField[];
  readonly uploads: ReadonlyMap<string, UploadState>;
  /** Called when a file is chosen or removed. */
  readonly onFile: (artifact: string, file: File | undefined) => void;
  readonly isBusy: boolean;
  /** The rights that are missing to submit it. */
  readonly lack: string | undefined;
  readonly onEntrypoint: (name: string) => void;
  readonly onValue: (name: string, value: string) => void;
  readonly onSubmit: () => void;
  /** Called for a dry run. */
  readonly onTry: () => void;
  /** Called to copy the equivalent command. */
  readonly onLine: () => void;
}

export function SubmitForm(props: Props) {
  const { entrypoints, entrypoint, fields, values, missing, isBusy, onEntrypoint, onValue, onSubmit, onTry, onLine } =
    props;
  const { artifacts, uploads, missingFiles, lack, onFile } = props;
  const hasRequired = fields.some(({ usual }) => usual === undefined) ||
    artifacts.some(({ isOptional }) => !isOptional);
  const isOff = isBusy || lack !== undefined;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {entrypoints.length > 1 && (
        <label class="field">
          <span>{words.entrypointField}</span>
          <select value={entrypoint} onChange={(event) => onEntrypoint(event.currentTarget.value)}>
            {entrypoints.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        </label>
      )}
      {fields.map((field) => (
        <ParameterField
          key={field.name}
          field={field}
          value={values.get(field.name) ?? field.usual ?? ""}
          isMissing={missing.includes(field.name)}
          onValue={(value) => onValue(field.name, value)}
        />
      ))}
      {fields.length > 0 && <ParameterDocs />}
      {artifacts.map((artifact) => (
        <ArtifactFileField
          key={artifact.name}
          artifact={artifact}
          upload={uploads.get(artifact.name)}
          isMissing={missingFiles.includes(artifact.name)}
          onFile={(file) => onFile(artifact.name, file)}
        />
      ))}
      {fields.length + artifacts.length === 0 && <p class="muted">{words.noParameters}</p>}
      {hasRequired && <p class="muted required-legend">{words.requiredLegend}</p>}
      {lack && <p class="note">{lack}.</p>}
      <footer>
        <button type="submit" class="button primary" disabled={isOff}>
          {isBusy ? words.submittingButton : shared.submitButton}
        </button>
        <button type="button" class="button" disabled={isOff} onClick={onTry}>{words.dryRunButton}</button>
        <button type="button" class="button" onClick={onLine}>{words.commandButton}</button>
      </footer>
    </form>
  );
}

interface FileProps {
  readonly artifact: ArtifactField;
  readonly upload: UploadState | undefined;
  readonly isMissing: boolean;
  readonly onFile: (file: File | undefined) => void;
}

/** The field of a file, which can be chosen or dropped. */
function ArtifactFileField({ artifact: { name, isOptional }, upload, isMissing, onFile }: FileProps) {
  const id = `file-${name}`;
  const input = useRef<HTMLInputElement>(null);
  return (
    <div
      class="field drop"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        if (file) onFile(file);
      }}
    >
      <label for={id} class={isOptional ? undefined : "required"}>{name}</label>
      <input
        ref={input}
        id={id}
        type="file"
        aria-describedby={`${id}-about`}
        aria-required={!isOptional || undefined}
        aria-invalid={isMissing || upload?.kind === "refused" ? "true" : undefined}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) onFile(file);
        }}
      />
      <p id={`${id}-about`} class="muted" role="status">
        {isMissing && !upload && <strong>{words.missingFile}</strong>}{" "}
        {uploadText(upload) ?? (isOptional ? words.optionalFile : words.neededFile)}
      </p>
      {upload && isOptional && (
        <button
          type="button"
          class="button plain"
          onClick={() => {
            if (input.current) input.current.value = "";
            onFile(undefined);
          }}
        >
          {words.leaveOutButton}
        </button>
      )}
    </div>
  );
}

function uploadText(upload: UploadState | undefined): string | undefined {
  switch (upload?.kind) {
    case undefined:
      return undefined;
    case "sending":
      return words.uploading(upload.file);
    case "there":
      return words.uploaded(upload.file);
    case "refused":
      return words.uploadRefused(upload.file, upload.words);
  }
}
