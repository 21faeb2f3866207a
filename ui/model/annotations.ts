/** Annotations that describe an object to people: its title and its description. */

/** The metadata fields that are read. */
export interface Metadata {
  readonly name?: string | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Returns the title of an object in Markdown, or undefined without a title annotation. */
export function titleOf({ annotations }: Metadata): string | undefined {
  return annotations?.["workflows.argoproj.io/title"]?.trim() || undefined;
}

/** Returns the description of an object in Markdown. */
export function descriptionOf({ annotations }: Metadata): string | undefined {
  return annotations?.["workflows.argoproj.io/description"]?.trim() || undefined;
}
