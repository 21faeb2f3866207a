/** Faults of the page itself that nobody else tells of: they are said, and the page stays. */
import { Component, type ComponentChildren } from "preact";
import { signal } from "@preact/signals";
import { MissingPart } from "../api/refusal.ts";
import type { Place } from "../model/place.ts";
import * as words from "../model/text/en/frame.ts";
import * as shared from "../model/text/en/shared.ts";

/** The newest mistake that nothing on the page has told of. */
const fault = signal<unknown>(undefined);

/** Notes whatever is thrown and not caught, as long as the page is open. */
export function noteFaults(): void {
  addEventListener("unhandledrejection", ({ reason }) => note(reason));
  addEventListener("error", ({ error }) => note(error));
}

function note(error: unknown): void {
  // A browser tells of its own troubles by events without an error; what was left on purpose is none.
  if (error === undefined || error === null || error instanceof DOMException && error.name === "AbortError") return;
  fault.value = error;
}

/** Nothing, or the word of what went wrong. */
export function Faults() {
  const { value } = fault;
  if (value === undefined) return null;
  return (
    <div class="note row" role="alert">
      <span>{words.mayBeOutdated(wordsOf(value))}</span>
      <button type="button" class="button" onClick={() => location.reload()}>{words.reloadButton}</button>
      <button
        type="button"
        class="button plain"
        aria-label={shared.dismissButton}
        onClick={() => fault.value = undefined}
      >
        ✕
      </button>
    </div>
  );
}

function wordsOf(error: unknown): string {
  if (error instanceof MissingPart) return words.partMissing;
  return words.wentWrong(error instanceof Error ? error.message : String(error));
}

interface BoundaryProps {
  /** The place that is shown: at another, Back included, the page is drawn again. */
  readonly place: Place;
  readonly children: ComponentChildren;
}

interface BoundaryState {
  readonly place: Place;
  readonly error: unknown;
}

/** A border around a page: one that cannot be drawn leaves the frame around it, and the way to others. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { place: this.props.place, error: undefined };

  static override getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { error: error ?? words.unknownFault };
  }

  static override getDerivedStateFromProps({ place }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return place === state.place ? null : { place, error: undefined };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render({ children }: BoundaryProps, { error }: BoundaryState): ComponentChildren {
    if (error === undefined) return children;
    return (
      <section class="card refusal" role="alert">
        <h1>{words.cannotBeShown}</h1>
        <p class="muted">{words.cannotDraw}</p>
        <pre class="words">{error instanceof Error ? error.message : String(error)}</pre>
        <p>{words.otherWays}</p>
        <button type="button" class="button primary" onClick={() => location.reload()}>{words.reloadButton}</button>
      </section>
    );
  }
}
