import { type FieldError, formatPath, type PathSegments } from "../api/mod.ts";

/** Collects what is wrong, in the order it is found: the first error is the one a controller shows. */
export class Report {
  readonly #errors: FieldError[] = [];

  /** Everything found so far, each place and message once. */
  get errors(): readonly FieldError[] {
    return this.#errors;
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
