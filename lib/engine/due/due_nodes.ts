/**
 * The nodes that are due in a pass: those that changed since the previous pass, those that depend on an outside fact that
 * changed, and those with remaining work. Most nodes of a large workflow are usually not due. Without this cache, a pass evaluates
 * all nodes, with the same result.
 */
import type { NodeTable } from "../nodes/node_table.ts";
import type { ChangeLog } from "../nodes/change_log.ts";
import type { Dependency, Look } from "./look.ts";

/** The changes before a pass, and its settings. */
export interface PassChanges {
  /** The log of facts about nodes. If undefined, all nodes may have changed. */
  readonly changes: ChangeLog | undefined;
  /** The log of outside facts. */
  readonly outside: ChangeLog | undefined;
  /** The nodes that the previous pass replaced; undefined if there is no known previous pass. */
  readonly replaced: ReadonlySet<string> | undefined;
  /** The settings that affect all nodes. If one of these objects is replaced, all nodes are evaluated. */
  readonly settings: readonly unknown[];
}

/** Tracks, for each question about nodes, for which nodes it must be answered again, and which facts they depend on. */
export class DueNodes {
  readonly #questions = new Map<string, Question>();
  /** For a node that was evaluated during the evaluation of another one: that other node. */
  readonly #within = new Map<string, string>();
  readonly #changes = new Reader();
  readonly #outside = new Reader();
  #settings: readonly unknown[] = [];
  #news: ReadonlySet<string> | undefined;
  #pass = 0;

  /** Starts a pass. */
  begin({ changes, outside, replaced, settings }: PassChanges): void {
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

  /** The nodes that changed since the previous pass; undefined if all nodes must be evaluated. */
  get news(): ReadonlySet<string> | undefined {
    return this.#news;
  }

  /**
   * Answers a question for the due nodes among `everything`, in the order of `nodes`, the table of this pass.
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

  /** The nodes of `everything` that fulfill a condition which depends only on a node, its pod and its report. */
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

  /** The nodes for which a question is due; all nodes if it was not asked in the previous pass. */
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

  /** Records the outside facts that a look depends on. */
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

  /** The node during whose evaluation a node with outside dependencies was evaluated. */
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

/** The cached state of one question. */
interface Question {
  /** The number of the last pass in which it was answered. */
  asked: number;
  /** The nodes for which it must be answered again, or for which it is true. */
  readonly open: Set<string>;
  /** The outside facts that each node depends on, and the nodes that depend on each fact. */
  readonly keys: Map<string, ReadonlySet<Dependency>>;
  readonly waiting: Map<string, Set<string>>;
}

/** The part of a node table that is needed: changed nodes, and the order of nodes. */
export type Order = Pick<NodeTable, "changed" | "inOrder">;

/** Reads a log incrementally. */
class Reader {
  #log: ChangeLog | undefined;
  #mark = 0;

  /** The keys added since the last call; undefined if they are unknown. */
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
