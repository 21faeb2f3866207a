/** Shows workflows while they run: redraws a tree in a terminal, and prints a line for each change elsewhere. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { elapsed } from "@tiphys/model/status";
import { ChangeLines } from "./change_lines.ts";
import { statusText } from "./describe_workflow.ts";
import { type Look, phaseIcon } from "./look.ts";
import { escapeControls } from "./plain.ts";
import { fitLine } from "./table.ts";
import { treeTable } from "./tree_table.ts";
import type { World } from "../world.ts";

/** A view that follows workflows. */
export interface LiveView {
  update(workflow: Workflow): void;
  /** Writes a line that is not redrawn. */
  line(text: string): void;
  /** Asks the user a yes-or-no question. */
  ask(question: string): boolean;
  /** Shows the final state. */
  close(): void;
}

/** Whether a node is shown; undefined for all. */
type Shows = ((node: NodeStatus) => boolean) | undefined;

/** Options of a view. */
export interface LiveViewOptions {
  readonly shows?: Shows;
  /** Called before changes are printed as lines. */
  readonly beforeChange?: () => void;
}

/** Returns a view for the terminal, or for other output. */
export function liveView(world: World, look: Look, { shows, beforeChange }: LiveViewOptions = {}): LiveView {
  return world.terminal() ? new TerminalView(world, look, shows) : new LinesView(world, look, shows, beforeChange);
}

const REDRAW_MILLIS = 1000;

/** Redraws the last lines of the output: moves the cursor up to their start, and writes them again. */
class TerminalView implements LiveView {
  readonly #world: World;
  readonly #look: Look;
  readonly #shows: Shows;
  readonly #workflows = new Map<string, Workflow>();
  /** Updates durations between changes. */
  readonly #timer: ReturnType<typeof setInterval>;
  #height = 0;

  constructor(world: World, look: Look, shows: Shows) {
    this.#world = world;
    this.#look = look;
    this.#shows = shows;
    this.#timer = setInterval(() => this.#draw(this.#render(true)), REDRAW_MILLIS);
  }

  update(workflow: Workflow): void {
    this.#workflows.set(workflow.metadata.uid ?? "", workflow);
    this.#draw(this.#render(true));
  }

  line(text: string): void {
    this.#erase();
    this.#world.out(`${text}\n`);
    this.#height = 0;
    this.#draw(this.#render(true));
  }

  ask(question: string): boolean {
    this.#erase();
    this.#height = 0;
    const answer = this.#world.confirm(question);
    this.#draw(this.#render(true));
    return answer;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#draw(this.#render(false));
  }

  /**
   * Returns the lines of the tree. With `fits`, only the last lines that fit the terminal, because others cannot be
   * redrawn.
   */
  #render(fits: boolean): string[] {
    const { columns, rows } = this.#world.terminal() ?? { columns: 80, rows: 24 };
    const lines = renderWorkflows(this.#workflows, { look: this.#look, now: this.#world.now(), shows: this.#shows });
    return fits ? lines.slice(-(rows - 1)).map((line) => fitLine(line, columns - 1)) : lines;
  }

  #draw(lines: readonly string[]): void {
    this.#erase();
    this.#world.out(lines.map((line) => `${line}\n`).join(""));
    this.#height = lines.length;
  }

  #erase(): void {
    if (this.#height > 0) this.#world.eraseLines(this.#height);
  }
}

class LinesView implements LiveView {
  readonly #world: World;
  readonly #look: Look;
  readonly #shows: Shows;
  readonly #changes: ChangeLines;
  readonly #beforeChange: () => void;
  readonly #workflows = new Map<string, Workflow>();

  constructor(world: World, look: Look, shows: Shows, beforeChange = () => {}) {
    this.#world = world;
    this.#look = look;
    this.#shows = shows;
    this.#beforeChange = beforeChange;
    this.#changes = new ChangeLines(look, shows);
  }

  update(workflow: Workflow): void {
    this.#workflows.set(workflow.metadata.uid ?? "", workflow);
    const lines = this.#changes.linesOf(workflow, this.#world.now());
    if (lines.length > 0) this.#beforeChange();
    for (const line of lines) this.line(line);
  }

  line(text: string): void {
    this.#world.out(`${text}\n`);
  }

  ask(question: string): boolean {
    return this.#world.confirm(question);
  }

  /** Shows the tree, except in the log of a CI system, which already has every change. */
  close(): void {
    if (this.#workflows.size === 0 || this.#world.env("CI")) return;
    for (
      const line of [
        "",
        ...renderWorkflows(this.#workflows, { look: this.#look, now: this.#world.now(), shows: this.#shows }),
      ]
    ) this.line(line);
  }
}

/** Returns the lines of each workflow: its head line, then its tree. */
function renderWorkflows(
  workflows: ReadonlyMap<string, Workflow>,
  { look, now, shows }: { readonly look: Look; readonly now: Date; readonly shows: Shows },
): string[] {
  return [...workflows.values()].flatMap((workflow, index) => [
    ...(index > 0 ? [""] : []),
    headLine(workflow, look, now),
    ...treeTable(workflow, { look, now, ...(shows && { shows }) }),
  ]);
}

/** Returns a workflow in one line: its phase, name, duration and message. */
export function headLine(workflow: Workflow, look: Look, now: Date): string {
  const { metadata, status } = workflow;
  const time = elapsed(status?.startedAt, status?.finishedAt, now);
  const word = look.utf8 ? `${phaseIcon(status?.phase || "Pending", look)} ` : "";
  const facts = [
    look.paint.bold(metadata.name ?? ""),
    statusText(workflow),
    time,
    escapeControls(status?.message ?? ""),
  ];
  return word + facts.filter(Boolean).join("  ");
}
