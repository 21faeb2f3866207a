/**
 * The containers of the user that do the work of a template. Does not load the table of types: the list of runs on the
 * page needs only this.
 */
import type { PathSegments } from "@tiphys/base/field_path";
import type { Container, Template } from "../api/mod.ts";
import type { TypesRunBy } from "../api/template_types.ts";

/** A container, script, or member of a container set, and its path in the template. */
export interface WorkContainer {
  readonly path: PathSegments;
  readonly container: Container & { readonly source?: string };
}

const CONTAINERS: Readonly<Record<TypesRunBy<"containers">, (template: Template) => readonly WorkContainer[]>> = {
  container: ({ container }) => container ? [{ path: ["container"], container }] : [],
  script: ({ script }) => script ? [{ path: ["script"], container: script }] : [],
  containerSet: ({ containerSet }) =>
    (containerSet?.containers ?? []).map((container, index) => ({
      path: ["containerSet", "containers", index],
      container,
    })),
};

/** Returns these containers; only those of a container set have names. */
export function workContainers(template: Template): WorkContainer[] {
  return Object.values(CONTAINERS).flatMap((containersOf) => containersOf(template));
}
