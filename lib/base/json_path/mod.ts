/** The JSONPath templates of kubectl: `{.items[*].metadata.name}`, `{range …}{end}`, filters. */
export { fillJsonPath } from "./json_path.ts";
export { JsonPathError, parseTemplate } from "./json_path_parser.ts";
