/** The dialog that shares a run, or the newest run of a template or schedule: a link, and widgets to embed. */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { useApp } from "../app.ts";
import { Dialog } from "../components/dialog.tsx";
import { type Query, type Widget, withValues } from "../model/place.ts";
import * as words from "../model/text/en/share_dialog.ts";

interface Props {
  /** The address to share. */
  readonly link: string;
  readonly name: string;
  readonly namespace: string;
  /** The run by name, or the newest run with a label. */
  readonly runs: { readonly name: string } | { readonly label: string };
  readonly onClose: () => void;
}

export function ShareDialog({ link, name, namespace, runs, onClose }: Props) {
  const app = useApp();
  const target = useSignal("_top");
  const hasOptions = useSignal(false);
  const size = useSignal("");
  const meant: Query = Object.entries(runs);
  const widget = (kind: Widget, more: Readonly<Record<string, string | undefined>>) =>
    app.hrefOf({
      page: { kind: "widget", widget: kind, namespace },
      query: withValues(meant, { target: target.value === "_top" ? undefined : target.value || undefined, ...more }),
    });
  const badge = widget("workflow-status-badges", {});
  const graph = widget("workflow-graphs", {
    showOptions: hasOptions.value ? "true" : undefined,
    nodeSize: size.value || undefined,
  });
  return (
    <Dialog title={words.title(name)} onClose={onClose} isWide>
      <div class="dialog-body">
        <Copied label={words.linkField} text={link} />
        <label class="field">
          <span>{words.targetField}</span>
          <input value={target.value} onInput={(event) => target.value = event.currentTarget.value} />
        </label>
        <h3>{words.badgeHeading}</h3>
        <p class="muted">{words.aboutBadge}</p>
        <Copied label={words.frameField} text={frameOf(badge, 200, 32)} />
        <p>
          <a href={badge} target="widget_preview">{words.openLink}</a>
        </p>
        <h3>{words.graphHeading}</h3>
        <p class="muted">{words.aboutGraph}</p>
        <label class="toggle">
          <input
            type="checkbox"
            checked={hasOptions.value}
            onChange={(event) => hasOptions.value = event.currentTarget.checked}
          />
          {words.optionsField}
        </label>
        <label class="field">
          <span>{words.sizeField}</span>
          <input
            type="number"
            min={8}
            max={200}
            value={size.value}
            onInput={(event) => size.value = event.currentTarget.value}
          />
        </label>
        <Copied label={words.frameField} text={frameOf(graph, 600, 300)} />
        <p>
          <a href={graph} target="widget_preview">{words.openLink}</a>
        </p>
        <p class="muted">{words.framingNote}</p>
      </div>
    </Dialog>
  );
}

function frameOf(address: string, width: number, height: number): string {
  return `<iframe src="${
    address.replaceAll("&", "&amp;")
  }" width="${width}" height="${height}" frameborder="0"></iframe>`;
}

/** A text with a copy button; the text is selectable in any case. */
function Copied({ label, text }: { readonly label: string; readonly text: string }) {
  const id = useId();
  const copied = useSignal("");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="row copied">
        <input id={id} class="mono" readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
        <button
          type="button"
          class="button"
          aria-label={words.copyOf(label)}
          onClick={() => void navigator.clipboard?.writeText(text).then(() => copied.value = text, () => {})}
        >
          {copied.value === text ? words.copied : words.copyButton}
        </button>
      </span>
    </div>
  );
}
