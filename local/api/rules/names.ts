/** The rules of Kubernetes for names of objects and namespaces, with its messages. They are checked on creation. */

import type { KubeObject } from "@tiphys/kube";
import { subdomainErrors } from "@tiphys/base/selector/label_rules";
import type { ServedResource } from "../served_resource.ts";
import type { Cause } from "../status_error.ts";

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const serviceLabel = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const configKey = /^[-._a-zA-Z0-9]+$/;

const LABEL_BYTES = 63;
const SUBDOMAIN_BYTES = 253;
/** The maximum length of a cron job's name: the number of a run is appended to it. */
const CRON_JOB_BYTES = 52;

const labelText = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must " +
  "start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const serviceLabelText = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an " +
  "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for " +
  "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const configKeyText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
  "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** Returns one sentence for each violated rule of a name. */
type NameRule = (name: string) => string[];

/** Names of containers, volumes and namespaces. */
export const labelRule = ruleOf(label, labelText, LABEL_BYTES);
/** Names of most objects. */
export const subdomainRule: NameRule = (name) => subdomainErrors(name, "bytes");
const serviceRule = ruleOf(serviceLabel, serviceLabelText, LABEL_BYTES);

/**
 * Returns a rule by pattern. Names that are too long are not matched, since the time of a pattern may be quadratic in
 * their length.
 */
function ruleOf(pattern: RegExp, text: string, bytes: number): NameRule {
  return (name) => name.length > bytes ? [tooLong(bytes)] : pattern.test(name) ? [] : [text];
}

function tooLong(bytes: number): string {
  return `must be no more than ${bytes} bytes`;
}

/** The rule for a name that is one segment of an API path. */
export function pathSegmentRule(name: string): string[] {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return ["/", "%"].filter((character) => name.includes(character)).map((character) =>
    `may not contain '${character}'`
  );
}

/** The rule for a key of a ConfigMap or Secret, which is also a file name when mounted. */
export function configKeyRule(key: string): string[] {
  const problems = ruleOf(configKey, configKeyText, SUBDOMAIN_BYTES)(key);
  if (key === "." || key === "..") problems.push(`must not be '${key}'`);
  else if (key.startsWith("..")) problems.push("must not start with '..'");
  return problems;
}

function ruleFor(resource: ServedResource): NameRule {
  if (!resource.builtIn) return subdomainRule;
  if (resource.group === "rbac.authorization.k8s.io") return pathSegmentRule;
  switch (resource.plural) {
    case "namespaces":
      return labelRule;
    case "events":
      // Events are named after an object and a time, separated by a dot.
      return pathSegmentRule;
    case "services":
      return serviceRule;
    case "cronjobs":
      return (name) => [
        ...subdomainRule(name),
        ...(name.length > CRON_JOB_BYTES ? [`must be no more than ${CRON_JOB_BYTES} characters`] : []),
      ];
    default:
      return subdomainRule;
  }
}

/** Returns the errors of a new object's name and namespace. */
export function nameCauses(object: KubeObject, resource: ServedResource, namespace: string | undefined): Cause[] {
  const { name = "", generateName } = object.metadata;
  const rule = ruleFor(resource);
  return [
    // A generated name is continued with letters and digits.
    ...(generateName
      ? invalidCauses("metadata.generateName", generateName, rule(generateName.replace(/([^-])-$/, "$1a")))
      : []),
    ...(name === "" ? [missingNameCause()] : invalidCauses("metadata.name", name, rule(name))),
    ...(namespace === undefined ? [] : invalidCauses("metadata.namespace", namespace, labelRule(namespace))),
    ...definitionCauses(object, resource),
  ];
}

/** A definition must be named after its resource, so the resource must have a name. */
function definitionCauses({ metadata: { name }, spec }: KubeObject, resource: ServedResource): Cause[] {
  if (!resource.builtIn || resource.kind !== "CustomResourceDefinition") return [];
  const { group = "", names = {} } = (spec ?? {}) as { group?: unknown; names?: { plural?: unknown } };
  return name === `${names.plural ?? ""}.${group}`
    ? []
    : invalidCauses("metadata.name", name, ['must be spec.names.plural+"."+spec.group']);
}

function invalidCauses(field: string, value: unknown, problems: readonly string[]): Cause[] {
  return problems.map((problem) => ({
    reason: "FieldValueInvalid",
    field,
    message: `Invalid value: ${JSON.stringify(value)}: ${problem}`,
  }));
}

function missingNameCause(): Cause {
  const message = "Required value: name or generateName is required";
  return { reason: "FieldValueRequired", field: "metadata.name", message };
}
