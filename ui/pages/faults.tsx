/** Shows errors of the page itself that nothing else reports; the page remains usable. */
import { Component, type ComponentChildren } from "preact";
import { signal } from "@preact/signals";
import { MissingPagePart } from "../api/refusal.ts";
import type { PageAddress } from "../model/place.ts";
import * as words from "../model/text/en/frame.ts";
import * as shared from "../model/text/en/shared.ts";

/** The latest unreported error. */
const fault = signal<unknown>(undefined);

/** Records uncaught errors while the page is open. */
export function recordUncaughtErrors(): void {
  addEventListener("unhandledrejection", ({ reason }) => recordError(reason));
  addEventListener("error", ({ error }) => recordError(error));
}

function recordError(error: unknown): void {
  // Browsers report some internal problems without an error, and aborted work is not an error.
  if (error === undefined || error === null || error instanceof DOMException && error.name === "AbortError") return;
  fault.value = error;
}

/** Renders the latest error, if any. */
export function Faults() {
  const { value } = fault;
  if (value === undefined) return null;
  return (
    <div class="note row" role="alert">
      <span>{words.mayBeOutdated(errorText(value))}</span>
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

function errorText(error: unknown): string {
  if (error instanceof MissingPagePart) return words.partMissing;
  return words.pageError(error instanceof Error ? error.message : String(error));
}

interface BoundaryProps {
  /** The current page: when it changes, also by Back, the page is rendered again. */
  readonly place: PageAddress;
  readonly children: ComponentChildren;
}

interface BoundaryState {
  readonly place: PageAddress;
  readonly error: unknown;
}

/** An error boundary around a page: if it fails to render, the frame with its navigation remains. */
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
        <p>{words.fallbackHint}</p>
        <button type="button" class="button primary" onClick={() => location.reload()}>{words.reloadButton}</button>
      </section>
    );
  }
}
