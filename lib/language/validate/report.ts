import { didYouMean, type FieldError, formatPath, type PathSegments } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import type { MeterError } from "../template/expr/meter.ts";

/** A finding about an expression that would only fail at run time: reported by lint, but not a reason to reject. */
export interface Finding extends FieldError {
  readonly severity: "error" | "warning";
  /** UTF-16 offset in the field's text. */
  readonly offset: number;
}

/** The number of errors that have a hint about a misspelled name: names are compared with up to 500 others. */
const HINTED_ERRORS = 100;

/** Collects errors in the order of detection: the controller shows the first one. */
export class Report {
  readonly #errors: FieldError[] = [];
  readonly #findings: Finding[] = [];
  readonly #reported = new Set<string>();
  readonly #pathsOfFindings = new Set<string>();
  #isOutOfTime = false;
  #manifestCharacters = 0;

  /**
   * @param judgesExpressions whether expressions are checked too, as in lint.
   * @param nodes the maximum number of nodes of a workflow.
   * @param isSubmission whether a workflow is submitted unchanged; otherwise lint allows arguments without a value.
   */
  constructor(
    readonly judgesExpressions = false,
    readonly nodes: number = LIMITS.nodes,
    readonly isSubmission = false,
  ) {}

  /**
   * Whether to report that the time limit for expressions was exceeded: only once if it is the limit for all of them.
   */
  reportsTimeout({ isForAll }: MeterError): boolean {
    const isReported = isForAll && this.#isOutOfTime;
    if (isForAll) this.#isOutOfTime = true;
    return !isReported;
  }

  /** Whether to parse a manifest: the total size of parsed manifests is limited. */
  readsManifest(manifest: string): boolean {
    this.#manifestCharacters += manifest.length;
    return this.#manifestCharacters <= LIMITS.checkedManifestCharacters;
  }

  /** All errors so far, each path and message once. */
  get errors(): readonly FieldError[] {
    return this.#errors;
  }

  /** All findings about expressions so far, one for each offset and field. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Adds a finding. */
  addFinding(path: PathSegments, fault: Omit<Finding, "path">): void {
    const { offset, severity, message } = fault;
    const finding = { path: formatPath(path), offset, severity, message };
    if (!this.#isNew(`finding ${offset} ${finding.path}`)) return;
    this.#findings.push(finding);
    this.#pathsOfFindings.add(finding.path);
  }

  /** Whether there is a finding about this field. */
  hasFinding(path: PathSegments): boolean {
    return this.#pathsOfFindings.has(formatPath(path));
  }

  /** Adds an error. */
  add(path: PathSegments, message: string): void {
    const error = { path: formatPath(path), message };
    if (this.#isNew(`error ${JSON.stringify([error.path, message])}`)) this.#errors.push(error);
  }

  /**
   * Returns a hint for the message of an unknown name; an empty string without a similar name, and after many errors.
   */
  hint(name: string, candidates: Iterable<string>): string {
    return this.#errors.length < HINTED_ERRORS ? didYouMean(name, candidates) : "";
  }

  #isNew(problem: string): boolean {
    if (this.#reported.has(problem)) return false;
    this.#reported.add(problem);
    return true;
  }
}

/**
 * The place of a checked value: its path in the document, and its name in messages, with the wording that Argo's
 * clients know, such as `templates.main.steps[0].a`.
 */
export class FieldLocation {
  constructor(
    readonly path: PathSegments,
    readonly name: string,
    /** Whether it is in another document; `path` is then that of the reference to it. */
    private readonly isElsewhere = false,
  ) {}

  /** Whether its fields have paths in the checked document. */
  get isHere(): boolean {
    return !this.isElsewhere;
  }

  /** Returns the path of a field. */
  pathTo(...segments: PathSegments): PathSegments {
    return this.isElsewhere ? this.path : [...this.path, ...segments];
  }

  /** Returns the place of a part. */
  part(name: string, ...segments: PathSegments): FieldLocation {
    return new FieldLocation(this.pathTo(...segments), name, this.isElsewhere);
  }

  /** Returns the place of a value in another document that this place refers to. */
  elsewhere(name: string): FieldLocation {
    return new FieldLocation(this.path, name, true);
  }
}
