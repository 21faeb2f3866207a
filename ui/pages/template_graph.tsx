/** The graph of a manifest, including readable objects that it refers to; its choices are in the address. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { WorkflowSpec } from "@tiphys/model/api";
import { asRefusal } from "../api/refusal.ts";
import { useApp } from "../app.ts";
import type { TextCheck } from "../components/code/edited_text.ts";
import { DeclaredPanel } from "../components/run/declared_panel.tsx";
import { FoundCount } from "../components/run/found_count.tsx";
import { GraphView } from "../components/run/graph_view.tsx";
import { keyAmong } from "../model/graph/find.ts";
import { openParts } from "../model/graph/fold.ts";
import { Layout } from "../model/graph/layout.ts";
import { pathTo } from "../model/graph/part.ts";
import { MAX_PARTS, templateGraph } from "../model/graph/template_graph.ts";
import {
  type DrawnManifest,
  type KnownObjects,
  readDrawn,
  type ReferredObject,
  referredObjects,
} from "../model/graph/template_objects.ts";
import { linesOf, manifestText } from "../model/manifest.ts";
import { type Page, valueOf, withValues } from "../model/place.ts";
import { changedQuery, readRunView } from "../model/run/run_view.ts";
import { trackPending } from "../settled.ts";
import { GraphExports } from "./run/graph_exports.tsx";
import { useMatches } from "./run/use_matches.ts";
import * as words from "../model/text/en/template_graph.ts";

interface Props {
  /** The manifest as an immutable object. */
  readonly object: unknown;
  /** Its text, if available, for line numbers. */
  readonly text?: string | undefined;
  /** The namespace of references to other objects; empty if unknown. */
  readonly namespace: string;
  /** Returns the address of a line of the manifest. */
  readonly lineHref?: (line: number) => string;
  /** Shows a line if the text is next to the graph. */
  readonly onLine?: (line: number) => void;
}

/** The graph, or the reason why it cannot be drawn. */
export function TemplateGraph({ object, ...props }: Props) {
  // Validation removes null fields, so it works on a copy.
  const read = useMemo(() => readDrawn(structuredClone(object)), [object]);
  return "problem" in read
    ? <p class="note">{words.cannotBeDrawn(read.problem)}</p>
    : <DrawnGraph object={object} manifest={read} {...props} />;
}

/** The longest text that is drawn while it is typed, in characters, because it is parsed at each typing pause. */
const MAX_DRAWN_LENGTH = 256 * 1024;

interface TextProps extends Pick<Props, "namespace" | "onLine"> {
  /** The check of the text at the last typing pause. */
  readonly checked: TextCheck | undefined;
}

/** The graph of a text that is being edited: updated at typing pauses, and unchanged while the text has problems. */
export function TextGraph({ checked, ...props }: TextProps) {
  const drawn = useRef<TextCheck | undefined>(undefined);
  const isTooLong = checked !== undefined && checked.of.length > MAX_DRAWN_LENGTH;
  if (checked?.object !== undefined && !isTooLong) drawn.current = checked;
  const { current: shown } = drawn;
  const text = useMemo(() => shown?.of.toString(), [shown]);
  return (
    <div>
      {isTooLong && <p class="note" role="status">{words.textIsTooLong}</p>}
      {!isTooLong && checked && checked.object === undefined && (
        <p class="note" role="status">{words.textHasProblem(checked.problems[0]?.message ?? "")}</p>
      )}
      {shown && <TemplateGraph object={shown.object} text={text} {...props} />}
    </div>
  );
}

function DrawnGraph(
  { object, manifest, text, namespace, lineHref, onLine }: Props & { readonly manifest: DrawnManifest },
) {
  const app = useApp();
  const { query } = app.place.value;
  const view = useMemo(() => readRunView(query, false), [query]);
  const { find, fold } = view;
  const begin = valueOf(query, "begin");
  const selected = valueOf(query, "node");
  const change = (values: Parameters<typeof withValues>[1]) =>
    app.go({ ...app.place.value, query: withValues(app.place.value.query, values) });
  const known = useReferredObjects(manifest.spec, namespace);
  const graph = useMemo(() => templateGraph(manifest, known, begin), [manifest, known, begin]);
  const { whole, parts } = graph;
  const layout = useRef(new Layout());
  const picture = useMemo(() => {
    const open = openParts(whole, fold);
    if (selected !== undefined) { for (const { key } of pathTo(whole, selected).slice(0, -1)) open.add(key); }
    return layout.current.layOut(whole, open);
  }, [whole, fold, selected]);
  const { keys: found, set: marked } = useMatches(whole, find);
  // The view is fitted once, to the graph including other objects that were read.
  const referred = referredObjects(manifest.spec, known);
  const wasShown = useRef(false);
  wasShown.current ||= referred.every(({ scope }) => known.has(scope));
  const chosen = selected === undefined ? undefined : parts.get(selected);
  const label = pathTo(whole, selected ?? "").at(-1)?.label ?? "";
  const lacking = referred.flatMap(({ scope, name }) => {
    const reason = known.get(scope);
    return typeof reason === "string" ? [words.missingReference(name, reason)] : [];
  });
  const open = () => new Set(picture.placed.filter(({ isOpen }) => isOpen).map(({ part }) => part.key));
  const goAmong = (step: 1 | -1) => {
    const next = keyAmong(found, selected, step);
    if (next !== undefined) change({ node: next });
  };
  // Lines in a long text are searched only when a part is selected.
  const [callLine, templateLine] = useMemo(
    () => chosen ? linesOf(text ?? manifestText(object), [chosen.callWay, chosen.templateWay]) : [],
    [text, object, chosen],
  );
  if (!wasShown.current) return <p class="muted">{words.drawing}</p>;
  const other = chosen?.object;
  const page: Page | undefined = other?.isCluster
    ? { kind: "cluster-template", name: other.name }
    : other && namespace !== ""
    ? { kind: "template", namespace, name: other.name }
    : undefined;
  const lineLink = (line: number | undefined, word: (line: number) => string) => {
    if (line === undefined) return null;
    if (onLine) return <button type="button" class="button" onClick={() => onLine(line)}>{word(line)}</button>;
    return lineHref && <a class="button" href={lineHref(line)}>{word(line)}</a>;
  };
  const links = (
    <>
      {lineLink(callLine, words.callLine)}
      {lineLink(templateLine, words.templateLine)}
      {page && other && (
        <a class="button" href={app.hrefOf({ page, query: [["tab", "graph"]] })}>{words.objectLink(other.name)}</a>
      )}
    </>
  );
  return (
    <section class="template-graph" aria-label={words.label}>
      <div class="tools">
        {graph.beginnings.length > 1 && (
          <select
            aria-label={words.beginsAtField}
            onChange={({ currentTarget: { value } }) => change({ begin: value || undefined, node: undefined })}
          >
            <option value="" selected={begin === undefined}>
              {`${words.beginsAtField}: ${graph.entrypoint ?? words.allTemplates}`}
            </option>
            {graph.beginnings.map((beginning) => (
              <option key={beginning} value={beginning} selected={beginning === begin}>
                {`${words.beginsAtField}: ${beginning}`}
              </option>
            ))}
          </select>
        )}
        <input
          type="search"
          class="find"
          placeholder={words.findField}
          aria-label={words.findField}
          value={find}
          onInput={(event) =>
            app.go({
              ...app.place.value,
              query: changedQuery(app.place.value.query, { find: event.currentTarget.value }),
            }, { replace: true })}
          onKeyDown={(event) => {
            if (event.key === "Enter") goAmong(event.shiftKey ? -1 : 1);
          }}
        />
        <FoundCount text={find} hits={found} selected={selected} />
      </div>
      {picture.placed.length === 0
        ? <p class="muted">{words.nothing}</p>
        : (
          <div class={`run-body${chosen ? " with-panel" : ""}`}>
            <div class="graph-tab">
              <GraphView
                picture={picture}
                now={0}
                selected={selected}
                marked={marked}
                onSelect={(key) => change({ node: key })}
                onToggle={(key) =>
                  app.go({
                    ...app.place.value,
                    query: changedQuery(app.place.value.query, { fold: new Map([...fold, [key, !open().has(key)]]) }),
                  })}
              />
              <div class="graph-exports">
                <GraphExports name={manifest.name} picture={picture} whole={whole} open={open} />
              </div>
            </div>
            {chosen && (
              <DeclaredPanel
                key={selected}
                label={label}
                part={chosen}
                links={links}
                onClose={() => change({ node: undefined })}
              />
            )}
          </div>
        )}
      {lacking.length > 0 && <p class="muted">{words.referencesNotDrawn(lacking.join(", "))}</p>}
      {graph.isCut && <p class="note">{words.partsLimited(MAX_PARTS)}</p>}
    </section>
  );
}

/** The maximum number of other objects that are requested. */
const MAX_OBJECTS = 20;

/** Returns the objects that a manifest refers to, directly or not, each requested once. */
function useReferredObjects(spec: WorkflowSpec, namespace: string): KnownObjects {
  const { source } = useApp();
  const [known, setKnown] = useState<KnownObjects>(new Map());
  const asked = useRef(new Set<string>());
  const left = useRef(new AbortController());
  useEffect(() => () => left.current.abort(), []);
  useEffect(() => {
    const wanted = referredObjects(spec, known).filter(({ scope }) => !asked.current.has(scope));
    if (wanted.length === 0) return;
    const waiting = trackPending();
    const answers = wanted.map(async (referredObject) => {
      const isMany = asked.current.size >= MAX_OBJECTS;
      asked.current.add(referredObject.scope);
      return [referredObject.scope, isMany ? words.tooManyObjects : await specOf(referredObject)] as const;
    });
    void Promise.all(answers).then((all) => {
      if (!left.current.signal.aborted) setKnown((before) => new Map([...before, ...all]));
    }).finally(() => waiting[Symbol.dispose]());
  }, [spec, known]);
  return known;

  async function specOf({ name, isCluster }: ReferredObject): Promise<WorkflowSpec | string> {
    if (!isCluster && namespace === "") return words.unknownNamespace;
    const { signal } = left.current;
    try {
      const object = isCluster
        ? await source.getTemplate("ClusterWorkflowTemplate", "", name, signal)
        : await source.getTemplate("WorkflowTemplate", namespace, name, signal);
      const read = readDrawn(object);
      return "problem" in read ? read.problem : read.spec;
    } catch (error) {
      return signal.aborted ? "" : asRefusal(error).message;
    }
  }
}
