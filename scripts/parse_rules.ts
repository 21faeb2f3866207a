/** The rules of parsing, as data: texts of others are read by bounded readers, and each other place has its reason. */
import { isTest, type Verdict } from "./import_rules.ts";

const OWN = "a text that this program wrote";
const OWN_FILE = "a file that only this user can write";
const INSIDE = "a text within an object or an expression, whose size and depth were checked before";
const API_SERVER = "the API server, which the operator chose and which limits its objects";

/** Files that parse JSON without `parseJson` of `lib/base/bounded_json.ts`, and why their texts need no bound. */
export const UNBOUNDED: Readonly<Record<string, string>> = {
  "cli/connect/stored_settings.ts": OWN_FILE,
  "cli/connect/local_page.ts": OWN_FILE,
  "lib/engine/templates/artifacts.ts": OWN,
  "controller/workflow/lane/protocol.ts": OWN,
  "controller/workflow/observe/observe.ts": OWN,
  "executor/agent/tokens.ts": "a variable that the controller sets",
  "executor/process/command_line.ts": "a file that the controller mounts",
  "executor/pod/compression.ts": "the template of the pod, which the controller writes",
  "executor/pod/template_shape.ts": "the template of the pod, which the controller writes",
  "lib/model/api/chosen_list.ts": "64 KiB at most, and only its flat items are read",
  "lib/base/field_path.ts": INSIDE,
  "lib/stores/oss/credentials.ts": OWN,
  "lib/base/bounded_json.ts": "the bounded reader",
  "lib/base/go/json.ts": INSIDE,
  "lib/kube/client.ts": API_SERVER,
  "lib/kube/http/answer.ts": API_SERVER,
  "lib/kube/list_items.ts": API_SERVER,
  "lib/kube/watch.ts": API_SERVER,
  "lib/base/metrics/otlp.ts": OWN,
  "lib/model/nodes/unpack.ts": "bytes, values and depth are counted while the text is unpacked",
  "lib/registry/credentials.ts": "a program of this user's machine",
  "lib/language/template/expr/time_methods.ts": OWN,
  "lib/language/template/expression_tag.ts": INSIDE,
  "lib/language/template/item.ts": INSIDE,
  "lib/language/template/json_text.ts": INSIDE,
  "lib/language/template/render.ts": INSIDE,
  "lib/language/template/resource_condition.ts": INSIDE,
  "lib/base/split_json.ts": OWN,
  "lib/language/validate/lint.ts": OWN,
  "lib/engine/workflow_actions/override_parameters.ts": "a string in quotes, which has no depth",
  "lib/service/server/exchange.ts": "the server that the user chose",
  "local/api/access/tokens.ts": "the payload of a token, after its signature was verified",
  "local/api/reading/representation.ts": OWN,
  "local/api/store.ts": OWN,
  "local/artifacts/object_index.ts": OWN,
  "local/image/machine_settings.ts": OWN_FILE,
  "local/kubelet/runtime/engine/engine_client.ts": "the container engine of this machine",
  "server/sso/provider.ts": "the identity provider that the operator chose, 1 MiB at most",
  "simulate/documents.ts": OWN,
  "simulate/machine.ts": OWN,
  "ui/api/exchange.ts": "the server that sent the page; large texts are read in pieces",
  "ui/api/json_pieces.ts": "the reader of large texts in pieces",
  "ui/api/read.ts": "the server that sent the page",
  "ui/model/chosen_list.ts": OWN,
  "ui/model/logs/json_fields.ts": "a line of 10,000 characters at most",
  "ui/model/run/compare.ts": OWN,
};

/** Files outside `lib/model/yaml` that import the YAML package, and why. */
const YAML_USERS: Readonly<Record<string, string>> = {
  "ui/pages/run/yaml_writer.ts": "writes YAML, in a part of the page that loads on demand",
};

const PROGRAM = /^(cli|controller|executor|lib|local|server|simulate|ui)\//;
/** Calls of `JSON.parse(text)` and `answer.json()`, and `JSON.parse` as a function; not within comments. */
const PARSES_JSON = /^(?!\s*(?:\*|\/\/|\/\*)).*(?:\bJSON\.parse\b|\.json\(\))/m;
const IMPORTS_YAML = /\bfrom\s*"yaml"|\bimport\(\s*"yaml"\s*\)/;

/** Judges how a file of a program parses texts. */
export function judgeParsing(path: string, text: string, unbounded = UNBOUNDED): Verdict {
  if (!PROGRAM.test(path) || isTest(path) || path.includes("/testdata/")) return undefined;
  if (IMPORTS_YAML.test(text) && !path.startsWith("lib/model/yaml/") && !(path in YAML_USERS)) {
    return "YAML is read by parseYaml of lib/model/yaml, which bounds its cost";
  }
  const parses = PARSES_JSON.test(text);
  if (parses && !(path in unbounded)) {
    return "JSON of others is read by parseJson of lib/base/bounded_json.ts; give the reason in scripts/parse_rules.ts for another reader";
  }
  return !parses && path in unbounded ? "no longer parses JSON: remove it from scripts/parse_rules.ts" : undefined;
}
