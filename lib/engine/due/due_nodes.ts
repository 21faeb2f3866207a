/**
 * The nodes that are due in a pass: those of which something changed since the pass before, those that wait for a fact
 * outside that changed, and those with which something is left to do. Most nodes of a large workflow are none of these,
 * most of the time. Without its memory a pass looks at all of them and comes to the same.
 */
import type { NodeTable } from "../nodes/node_table.ts";
import type { ChangeLog } from "./change_log.ts";
import type { Dependency, Look } from "./look.ts";

/** The news that a pass begins with, and the settings that hold in it. */
export interface Circumstances {
  /** The log of the facts about nodes; without one all may have changed. */
  readonly changes: ChangeLog | undefined;
  /** The log of the facts outside of them. */
  readonly outside: ChangeLog | undefined;
  /** The nodes that the pass before replaced; undefined when nothing is known of a pass before. */
  readonly replaced: ReadonlySet<string> | undefined;
  /** The settings that concern all nodes: when one of these is another object than before, all nodes are looked at. */
  readonly settings: readonly unknown[];
}

/** Keeps, for each question asked about the nodes, which of them it is to be asked about again, and what wakes them. */
export class DueNodes {
  readonly #questions = new Map<string, Question>();
  /** The node in the course of which another one was looked at. */
  readonly #within = new Map<string, string>();
  readonly #changes = new Reader();
  readonly #outside = new Reader();
  #settings: readonly unknown[] = [];
  #news: ReadonlySet<string> | undefined;
  #pass = 0;

  /** A pass begins. */
  begin({ changes, outside, replaced, settings }: Circumstances): void {
    const changed = this.#changes.next(changes);
    const keys = outside ? this.#outside.next(outside) : NOTHING;
    const isKnown = changed && keys && replaced && sameItems(settings, this.#settings);
    this.#settings = settings;
    this.#pass++;
    this.#news = isKnown ? new Set([...replaced, ...changed, ...this.#woken(keys)]) : undefined;
    if (this.#news) return;
    this.#questions.clear();
    this.#within.clear();
  }

  /** The nodes of which something changed since the pass before; undefined when all are to be looked at. */
  get news(): ReadonlySet<string> | undefined {
    return this.#news;
  }

  /**
   * Asks a question about the nodes it is due for, out of `everything`; `nodes` are those of this pass, in whose order it
   * is asked.
   */
  ask(question: string, everything: Iterable<string>, nodes: Order, look: (id: string) => Look): void {
    const { due, open } = this.#due(question, everything, nodes);
    for (const id of nodes.inOrder(due)) {
      const answer = look(id);
      this.remember(question, answer);
      if (answer.isSettled) open.delete(id);
      else open.add(id);
    }
  }

  /** The nodes out of `everything` of which something is true that depends on them, their pods and their reports only. */
  select(
    what: string,
    everything: Iterable<string>,
    nodes: Order,
    isTrue: (id: string) => boolean,
  ): ReadonlySet<string> {
    const { due, open } = this.#due(what, everything, nodes, []);
    for (const id of due) {
      if (isTrue(id)) open.add(id);
      else open.delete(id);
    }
    return open;
  }

  /** The nodes that a question is to be asked about; all, where it was not asked in the pass before. */
  #due(
    name: string,
    everything: Iterable<string>,
    nodes: Order,
    again?: readonly string[],
  ): { readonly due: Iterable<string>; readonly open: Set<string> } {
    const question = this.#question(name);
    const isKnown = this.#news && question.asked >= this.#pass - 1;
    question.asked = this.#pass;
    if (!isKnown) question.open.clear();
    const { open } = question;
    return { due: isKnown ? new Set([...again ?? open, ...this.#news!, ...nodes.changed.keys()]) : everything, open };
  }

  /** Remembers which facts outside a look depends on. */
  remember(name: string, { about, within, outside }: Look): void {
    const { keys, waiting } = this.#question(name);
    const before = keys.get(about);
    if (!before && outside.size === 0) return;
    for (const key of before ?? NOTHING) waiting.get(key)?.delete(about);
    if (outside.size === 0) return void keys.delete(about);
    keys.set(about, outside);
    for (const key of outside) {
      const ids = waiting.get(key);
      if (ids) ids.add(about);
      else waiting.set(key, new Set([about]));
    }
    let id = about;
    for (let look = within; look; look = look.within) {
      if (look.about === id) continue;
      this.#within.set(id, look.about);
      id = look.about;
    }
  }

  /** The node in the course of which one that waits for a fact outside was looked at. */
  within(id: string): string | undefined {
    return this.#within.get(id);
  }

  #question(name: string): Question {
    let question = this.#questions.get(name);
    if (!question) {
      this.#questions.set(name, question = { asked: -1, open: new Set(), keys: new Map(), waiting: new Map() });
    }
    return question;
  }

  #woken(keys: ReadonlySet<string>): string[] {
    const woken: string[] = [];
    for (const key of keys) {
      for (const { waiting } of this.#questions.values()) woken.push(...waiting.get(key) ?? NOTHING);
    }
    return woken;
  }
}

/** The memory of one question about nodes. */
interface Question {
  /** The number of the pass in which it was asked last. */
  asked: number;
  /** The nodes that it is to be asked about again, or of which it is true. */
  readonly open: Set<string>;
  /** The facts outside that nodes depend on, and the nodes that depend on each. */
  readonly keys: Map<string, ReadonlySet<Dependency>>;
  readonly waiting: Map<string, Set<string>>;
}

/** The part of a node table that is used here: the nodes that changed, and the order of all nodes. */
export type Order = Pick<NodeTable, "changed" | "inOrder">;

/** Reads a log from where it stopped. */
class Reader {
  #log: ChangeLog | undefined;
  #mark = 0;

  /** The keys that were noted since the last call; undefined when they are not known. */
  next(log: ChangeLog | undefined): ReadonlySet<string> | undefined {
    const found = log && log === this.#log ? log.since(this.#mark) : undefined;
    this.#log = log;
    this.#mark = log?.mark ?? 0;
    return found;
  }
}

const NOTHING: ReadonlySet<never> = new Set();

function sameItems(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((item, index) => item === others[index]);
}
