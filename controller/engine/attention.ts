/**
 * Which nodes a pass looks at: those of which something changed since the pass before, and those with which something is
 * left to do or to wait for. Most nodes of a large workflow are neither, most of the time. Without its memory a pass
 * looks at all of them and comes to the same.
 */
import type { ChangeLog } from "./change_log.ts";

/** What a pass begins with. */
export interface Circumstances {
  /** The log of the facts; without one all may have changed. */
  readonly changes: ChangeLog | undefined;
  /** The nodes that the pass before replaced; undefined when nothing is known of a pass before. */
  readonly replaced: ReadonlySet<string> | undefined;
  /** What concerns all nodes: when one of these is another object, all are looked at. */
  readonly settings: readonly unknown[];
}

/** Keeps, for each question asked about the nodes, which of them it is to be asked about again. */
export class Attention {
  readonly #open = new Map<string, Set<string>>();
  readonly #selected = new Map<string, Set<string>>();
  #log: ChangeLog | undefined;
  #mark = 0;
  #settings: readonly unknown[] = [];
  #news: ReadonlySet<string> | undefined;

  /** A pass begins. */
  begin({ changes, replaced, settings }: Circumstances): void {
    const isKnown = changes !== undefined && changes === this.#log && sameItems(settings, this.#settings);
    const changed = isKnown && replaced ? changes.since(this.#mark) : undefined;
    this.#news = changed && replaced!.union(changed);
    this.#log = changes;
    this.#mark = changes?.mark ?? 0;
    this.#settings = settings;
    if (this.#news) return;
    this.#open.clear();
    this.#selected.clear();
  }

  /** The nodes of which something changed since the pass before; undefined when all are to be looked at. */
  get news(): ReadonlySet<string> | undefined {
    return this.#news;
  }

  /**
   * Asks a question about the nodes it is due for, out of `everything`; `changed` are those that this pass has replaced.
   * `isSettled` answers whether nothing is left to be done or waited for.
   */
  ask(
    question: string,
    everything: Iterable<string>,
    changed: Iterable<string>,
    isSettled: (id: string) => boolean,
  ): void {
    let open = this.#open.get(question);
    const due = new Set(open && this.#news ? [...open, ...this.#news, ...changed] : everything);
    if (!open) this.#open.set(question, open = new Set());
    for (const id of due) {
      if (isSettled(id)) open.delete(id);
      else open.add(id);
    }
  }

  /** The nodes out of `everything` of which something is true. */
  select(
    what: string,
    everything: Iterable<string>,
    changed: Iterable<string>,
    isTrue: (id: string) => boolean,
  ): ReadonlySet<string> {
    let selected = this.#selected.get(what);
    const due = selected && this.#news ? [...this.#news, ...changed] : everything;
    if (!selected) this.#selected.set(what, selected = new Set());
    for (const id of due) {
      if (isTrue(id)) selected.add(id);
      else selected.delete(id);
    }
    return selected;
  }
}

function sameItems(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((item, index) => item === others[index]);
}
