/** The annotations that an object is told about by: its title, and its description. */

/** The part of an object's metadata that is read. */
export interface Metadata {
  readonly name?: string | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** The title of an object, in markdown; undefined where it has none but its name. */
export function titleOf({ annotations }: Metadata): string | undefined {
  return annotations?.["workflows.argoproj.io/title"]?.trim() || undefined;
}

/** The description of an object, in markdown. */
export function descriptionOf({ annotations }: Metadata): string | undefined {
  return annotations?.["workflows.argoproj.io/description"]?.trim() || undefined;
}
