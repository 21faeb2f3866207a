import { type FieldError, formatPath, type PathSegments } from "../api/mod.ts";

/** Something about an expression that only a run would show: not refused when submitted, but told by lint. */
export interface Finding extends FieldError {
  readonly severity: "error" | "warning";
  /** UTF-16 offset in the field's text. */
  readonly offset: number;
}

/** Collects what is wrong, in the order it is found: the first error is the one a controller shows. */
export class Report {
  readonly #errors: FieldError[] = [];
  readonly #findings: Finding[] = [];

  /** @param judgesExpressions whether expressions are looked into too, as lint does. */
  constructor(readonly judgesExpressions = false) {}

  /** Everything found so far, each place and message once. */
  get errors(): readonly FieldError[] {
    return this.#errors;
  }

  /** What expressions would come to, each place and message once. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Records a finding. */
  find(path: PathSegments, fault: Omit<Finding, "path">): void {
    const { offset, severity, message } = fault;
    const finding = { path: formatPath(path), offset, severity, message };
    const isKnown = this.#findings.some((known) => known.path === finding.path && known.offset === offset);
    if (!isKnown) this.#findings.push(finding);
  }

  /** Records one error. */
  add(path: PathSegments, message: string): void {
    const error = { path: formatPath(path), message };
    if (!this.#errors.some((known) => known.path === error.path && known.message === error.message)) {
      this.#errors.push(error);
    }
  }
}

/**
 * Something that is being checked: where it stands in the document, and what messages call it (the words that Argo's
 * clients know, as `templates.main.steps[0].a`).
 */
export class Place {
  constructor(
    readonly path: PathSegments,
    readonly name: string,
    /** Whether it stands in another document; `path` is then the reference that led there. */
    private readonly isElsewhere = false,
  ) {}

  /** Whether its fields can be pointed at. */
  get isHere(): boolean {
    return !this.isElsewhere;
  }

  /** The path of a field of it. */
  at(...segments: PathSegments): PathSegments {
    return this.isElsewhere ? this.path : [...this.path, ...segments];
  }

  /** A part of it. */
  part(name: string, ...segments: PathSegments): Place {
    return new Place(this.at(...segments), name, this.isElsewhere);
  }

  /** A thing in another document that this place refers to. */
  elsewhere(name: string): Place {
    return new Place(this.path, name, true);
  }
}
