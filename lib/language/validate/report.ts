import { type FieldError, formatPath, type PathSegments } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import type { MeterError } from "../template/expr/meter.ts";

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
  readonly #known = new Set<string>();
  readonly #pathsOfFindings = new Set<string>();
  #isOutOfTime = false;
  #manifestCharacters = 0;

  /**
   * @param judgesExpressions whether expressions are checked too, as lint does.
   * @param nodes the number of nodes that a workflow may have.
   * @param isSubmission whether a workflow is submitted as it is; otherwise lint accepts arguments without a value.
   */
  constructor(
    readonly judgesExpressions = false,
    readonly nodes: number = LIMITS.nodes,
    readonly isSubmission = false,
  ) {}

  /** Whether to tell that time for expressions is up: once, when that is so for all of them. */
  tellsOf({ isForAll }: MeterError): boolean {
    const isTold = isForAll && this.#isOutOfTime;
    if (isForAll) this.#isOutOfTime = true;
    return !isTold;
  }

  /** Whether a manifest is to be read for what is wrong with it: the price of all of them is limited. */
  readsManifest(manifest: string): boolean {
    this.#manifestCharacters += manifest.length;
    return this.#manifestCharacters <= LIMITS.checkedManifestCharacters;
  }

  /** Everything found so far, each place and message once. */
  get errors(): readonly FieldError[] {
    return this.#errors;
  }

  /** The findings about expressions so far, one for each offset and field. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Records a finding. */
  find(path: PathSegments, fault: Omit<Finding, "path">): void {
    const { offset, severity, message } = fault;
    const finding = { path: formatPath(path), offset, severity, message };
    if (!this.#isNew(`finding ${offset} ${finding.path}`)) return;
    this.#findings.push(finding);
    this.#pathsOfFindings.add(finding.path);
  }

  /** Whether a finding about this field has been recorded. */
  hasFinding(path: PathSegments): boolean {
    return this.#pathsOfFindings.has(formatPath(path));
  }

  /** Records one error. */
  add(path: PathSegments, message: string): void {
    const error = { path: formatPath(path), message };
    if (this.#isNew(`error ${JSON.stringify([error.path, message])}`)) this.#errors.push(error);
  }

  #isNew(problem: string): boolean {
    if (this.#known.has(problem)) return false;
    this.#known.add(problem);
    return true;
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
