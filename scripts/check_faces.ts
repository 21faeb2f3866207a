/** Limits the number of names that the faces of packages export, so that each can be read on one screen. */
import { ENTRY_POINTS, importedPath } from "./packages.ts";

/** The largest number of names that a face may export. */
const MAX_NAMES = 32;

/** Faces with more names, with the reason. */
const WIDE: Readonly<Record<string, string>> = {
  "@tiphys/base/go": "Go's values and texts in one namespace; each part is a face as well",
  "@tiphys/base/go/type": "one constant for each of Go's types",
  "@tiphys/engine/workflow_actions": "one function and its options for each action of users",
  "@tiphys/language/template": "the whole language, for the engine",
  "@tiphys/model/api": "one type for each part of the schemas of all kinds",
  "@tiphys/model/status": "one function for each question about a status",
};

const DECLARED =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|enum|interface|type) ([\w$]+)/gm;
const LISTED = /^export (?:type )?\{([^}]*)\}/gm;
const ALL = /^export (?:type )?\* from "([^"]+)"/gm;

/** The names of values and types that a file exports, including those of other files of the project. */
export function exportedNames(path: string, sources: ReadonlyMap<string, string>): Set<string> {
  const names = new Set<string>();
  const files = new Set([path]);
  for (const file of files) {
    const text = sources.get(file) ?? "";
    for (const [, name = ""] of text.matchAll(DECLARED)) names.add(name);
    for (const [, list = ""] of text.matchAll(LISTED)) {
      for (const entry of list.replaceAll(/\/\/.*/g, "").split(",")) {
        const name = entry.trim().replace(/^type /, "").split(" as ").at(-1)!;
        if (name !== "") names.add(name);
      }
    }
    for (const [, specifier = ""] of text.matchAll(ALL)) {
      const next = importedPath(file, specifier);
      if (next !== undefined) files.add(next);
    }
  }
  return names;
}

/** Returns a line for each face with too many names, and for each unnecessary exception. */
export function checkFaces(
  sources: ReadonlyMap<string, string>,
  faces: ReadonlyMap<string, string> = ENTRY_POINTS,
  wide: Readonly<Record<string, string>> = WIDE,
): string[] {
  return [...faces].flatMap(([face, path]) => {
    const count = exportedNames(path, sources).size;
    const isWide = Object.hasOwn(wide, face);
    if (count > MAX_NAMES && !isWide) {
      return [`${path}: the face ${face} exports ${count} names, more than ${MAX_NAMES}: move some to a second face`];
    }
    if (count <= MAX_NAMES && isWide) return [`scripts/check_faces.ts: ${face} needs no exception`];
    return [];
  });
}
