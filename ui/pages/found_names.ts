/** Runs, templates and schedules whose names match the text in the palette, found by the server. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Refusal } from "../api/refusal.ts";
import type { Source, TemplateKind } from "../api/source.ts";
import { useApp } from "../app.ts";
import { findNames, indexNames, type NamedItem, type NameIndex, type NameMatches } from "../model/palette.ts";
import type { Page } from "../model/place.ts";
import { trackPending } from "../settled.ts";

/** An item with its own page. */
export interface NamedPage extends NamedItem {
  readonly page: Page;
}

/** The results by kind. */
export type FoundNames = Readonly<
  Record<"runs" | "templates" | "cluster-templates" | "schedules", NameMatches<NamedPage>>
>;

type ObjectGroup = Exclude<keyof FoundNames, "runs">;

/** The runs that the server found for a word. */
interface FoundRuns {
  readonly word: string;
  readonly index: NameIndex<NamedPage>;
  readonly total: number;
}

const NO_RUNS: FoundRuns = { word: "", index: indexNames([]), total: 0 };
const NOTHING: Readonly<Record<ObjectGroup, NameIndex<NamedPage>>> = {
  templates: indexNames([]),
  "cluster-templates": indexNames([]),
  schedules: indexNames([]),
};

/** The minimum time between two requests, for keys that are held down. */
const BETWEEN_MILLIS = 30;

/** The characters of run names: other words cannot match. */
const NAME = /^[a-z0-9.-]+$/;

/**
 * Searches names. After a pause, a word is requested immediately; during fast typing only the latest one is. Previous
 * results that also match the new word stay until the response arrives, to avoid flicker. Templates and schedules are
 * listed once, when the first character is typed.
 */
export function useFoundNames(typed: string, max: number): FoundNames {
  const { source, place } = useApp();
  const word = typed.toLowerCase();
  const runs = useSignal(NO_RUNS);
  const stored = useSignal(NOTHING);
  const askedAt = useRef(-Infinity);
  const ask = useRef<AskRuns | undefined>(undefined);
  const { page } = place.value;
  const namespace = "namespace" in page ? page.namespace : "";
  ask.current ??= createRunSearch(source, namespace);
  useLayoutEffect(() => {
    if (!NAME.test(word)) return void (runs.value = NO_RUNS);
    const left = new AbortController();
    const waiting = trackPending();
    const start = () => {
      askedAt.current = performance.now();
      ask.current!(word, max, left.signal).then((names) => {
        if (!left.signal.aborted) runs.value = names;
      }, (error) => {
        // A refusal means no results; the page of the list shows the reason.
        if (!left.signal.aborted && !(error instanceof Refusal)) throw error;
      }).finally(() => waiting[Symbol.dispose]());
    };
    const wait = askedAt.current + BETWEEN_MILLIS - performance.now();
    const timer = wait > 0 ? setTimeout(start, wait) : undefined;
    if (timer === undefined) start();
    return () => {
      clearTimeout(timer);
      left.abort();
      waiting[Symbol.dispose]();
    };
  }, [word]);
  const isAsked = word !== "";
  useLayoutEffect(() => {
    if (!isAsked) return;
    const left = new AbortController();
    for (const [kind, load] of storedNames(source, namespace)) {
      const waiting = trackPending();
      load(left.signal).then((names) => {
        if (!left.signal.aborted) stored.value = { ...stored.value, [kind]: indexNames(names) };
      }, (error) => {
        if (!left.signal.aborted && !(error instanceof Refusal)) throw error;
      }).finally(() => waiting[Symbol.dispose]());
    }
    return () => left.abort();
  }, [isAsked]);
  const known = findNames(runs.value.index, word, max);
  return {
    runs: runs.value.word === word ? { ...known, more: Math.max(0, runs.value.total - known.items.length) } : known,
    templates: findNames(stored.value.templates, word, max),
    "cluster-templates": findNames(stored.value["cluster-templates"], word, max),
    schedules: findNames(stored.value.schedules, word, max),
  };
}

type AskRuns = (word: string, max: number, signal: AbortSignal) => Promise<FoundRuns>;

/** Returns a function that searches runs of all namespaces, or of one if the user may not list all. */
function createRunSearch(source: Source, own: string): AskRuns {
  let namespace = "";
  return async function asked(word, max, signal): Promise<FoundRuns> {
    try {
      const query = { namespace, phases: [], labels: [], name: { match: "Contains", text: word } } as const;
      const { items, total } = await source.listRuns(query, { offset: 0, limit: max }, signal);
      const named = items.map(({ metadata: { namespace = "", name = "" } }) => ({
        id: `${namespace}/${name}`,
        name: `${namespace} / ${name}`,
        page: { kind: "run", namespace, name } as const,
      }));
      return { word, index: indexNames(named), total };
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "forbidden" || namespace === own) throw error;
      namespace = own;
      return await asked(word, max, signal);
    }
  };
}

/** Lists templates and schedules of the current namespace, or of all. */
function storedNames(
  source: Source,
  within: string,
): readonly (readonly [ObjectGroup, (signal: AbortSignal) => Promise<NamedPage[]>])[] {
  const listed =
    (kind: TemplateKind, pageOf: (namespace: string, name: string) => Page) => async (signal: AbortSignal) =>
      (await source.listTemplates(kind, within, [], signal)).map(({ metadata: { namespace = "", name = "" } }) => ({
        id: `${namespace}/${name}`,
        name: namespace === "" ? name : `${namespace} / ${name}`,
        page: pageOf(namespace, name),
      }));
  return [
    ["templates", listed("WorkflowTemplate", (namespace, name) => ({ kind: "template", namespace, name }))],
    ["cluster-templates", listed("ClusterWorkflowTemplate", (_, name) => ({ kind: "cluster-template", name }))],
    ["schedules", listed("CronWorkflow", (namespace, name) => ({ kind: "cron", namespace, name }))],
  ];
}
