/**
 * Components without a DOM test: each component that a file of `ui/components` or `ui/pages` exports is the subject of
 * a table of states (`states(Component, …)`, `ui/testing/states.tsx`) in a test.
 */

const SHOWN = /^ui\/(components|pages)\/.*(?<!_test)\.tsx$/;
const COMPONENT = /^export (?:function|class) ([A-Z]\w*)/gm;
const IMPORT = /^import \{([^}]*)\} from "(\.[^"]+)"/gm;
const SUBJECTS = /\bstates\(\s*(?:\[([^\]]*)\]|(\w+))/g;

/** Lists each component without a DOM test, in sources by their paths from the root of the project. */
export function checkDomTests(sources: ReadonlyMap<string, string>): string[] {
  const shown = new Set([...sources].filter(([path]) => /_test\.tsx$/.test(path)).flatMap(subjectsOf));
  return [...sources].filter(([path]) => SHOWN.test(path)).flatMap(([path, text]) =>
    [...text.matchAll(COMPONENT)].flatMap(([, name = ""]) =>
      shown.has(`${path} ${name}`) ? [] : [`${path}: ${name} has no DOM test: name its states in a test (ui/testing)`]
    )
  );
}

/** The subjects of the tables in a test, each as its file and its name. */
function subjectsOf([path, text]: readonly [string, string]): string[] {
  const files = new Map<string, string>();
  for (const [, names = "", specifier = ""] of text.matchAll(IMPORT)) {
    const file = new URL(specifier, `file:///${path}`).pathname.slice(1);
    for (const name of names.split(",")) files.set(name.trim(), file);
  }
  return [...text.matchAll(SUBJECTS)].flatMap(([, list, single = ""]) =>
    (list ?? single).split(",").map((name) => `${files.get(name.trim())} ${name.trim()}`)
  );
}
