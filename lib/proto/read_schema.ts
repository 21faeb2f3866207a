/**
 * Parses the tables of messages and methods in `schema/`. A message is a line with its name, followed by lines with its
 * fields, separated by `;`: number, name, type and modifiers.
 *
 *     Artifact
 *       1 name string; 3 mode int32?; 5 artifactLocation ArtifactLocation inline; 7 labels {}string; 8 items []Item
 *
 * `?` marks a field whose zero differs from absence, `!` a field that Go's JSON always has (no `omitempty`), `{}` a map
 * with string keys, `inline` a message whose fields are part of the enclosing JSON object, `packed` a list whose items
 * share one tag, `json=` another JSON name. `Item => value` is a message whose JSON is its only field. The type `json`
 * is JSON as bytes, `number` a number as a string, `anyString` a string that stored objects may have as a number or
 * boolean, and `hex` bytes that JSON has in hexadecimal.
 */

/** The scalar types of fields. */
const SCALARS = [
  "string",
  "anyString",
  "bool",
  "int32",
  "int64",
  "uint32",
  "uint64",
  "fixed64",
  "double",
  "bytes",
  "hex",
  "json",
  "number",
] as const;
export type Scalar = typeof SCALARS[number];

/** The type of a field: a scalar, the names of an enumeration, or a message. */
export type FieldType =
  | { readonly kind: "scalar"; readonly scalar: Scalar }
  | { readonly kind: "enum"; readonly names: readonly string[] }
  | { readonly kind: "message"; readonly message: MessageType };

export interface Field {
  readonly number: number;
  /** The name in JSON. */
  readonly name: string;
  readonly type: FieldType;
  readonly shape: "one" | "list" | "map";
  /** Whether zero differs from absence. */
  readonly hasPresence: boolean;
  /** Whether Go's JSON has the field even if it is not set. */
  readonly isAlwaysWritten: boolean;
  readonly isInline: boolean;
  /** Whether the items of a list share one tag. */
  readonly isPacked: boolean;
}

export interface MessageType {
  /** With the package: `argo.Workflow`. */
  readonly name: string;
  readonly fields: readonly Field[];
  readonly byNumber: ReadonlyMap<number, Field>;
  /** The only field, if the message's JSON is the value of that field; otherwise undefined. */
  readonly standsFor: Field | undefined;
}

export interface Method {
  /** `/workflow.WorkflowService/GetWorkflow`. */
  readonly path: string;
  /** The operation ID in Argo's API description: `WorkflowService_GetWorkflow`. */
  readonly id: string;
  readonly input: MessageType;
  readonly output: MessageType;
  /** Whether it returns a stream of messages. */
  readonly isStream: boolean;
}

interface MessageBuilder extends MessageType {
  readonly fields: Field[];
  readonly byNumber: Map<number, Field>;
  standsFor: Field | undefined;
}

/**
 * Returns the messages of the tables by name.
 * @throws {Error} for an invalid table, with the line.
 */
export function readMessages(texts: readonly string[]): ReadonlyMap<string, MessageType> {
  const messages = new Map<string, MessageBuilder>();
  const blocks = texts.flatMap(blocksOf);
  for (const { name } of blocks) {
    if (messages.has(name)) throw new Error(`The message ${name} is defined twice`);
    messages.set(name, { name, fields: [], byNumber: new Map(), standsFor: undefined });
  }
  for (const { name, owner, written, standsFor } of blocks) {
    const message = messages.get(name)!;
    for (const one of written) {
      const field = fieldOf(one, owner, messages);
      message.fields.push(field);
      message.byNumber.set(field.number, field);
    }
    if (standsFor === undefined) continue;
    message.standsFor = message.fields.find((field) => field.name === standsFor);
    if (!message.standsFor) throw new Error(`The message ${name} has no field ${standsFor}`);
  }
  return messages;
}

interface Block {
  readonly name: string;
  /** The package. */
  readonly owner: string;
  readonly written: string[];
  readonly standsFor: string | undefined;
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let owner = "";
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    if (line.startsWith("package ")) owner = line.slice("package ".length);
    else if (line.startsWith(" ")) blocks.at(-1)?.written.push(...line.split(";").map((one) => one.trim()));
    else {
      const [name = "", standsFor] = line.split(" => ");
      blocks.push({ name: `${owner}.${name}`, owner, written: [], standsFor });
    }
  }
  return blocks;
}

const FIELD = /^(\d+) (\w+) (\[\]|\{\})?([\w.:|]+)(\?)?(!)?( inline)?( packed)?(?: json=(\w+))?$/;

function fieldOf(written: string, owner: string, messages: ReadonlyMap<string, MessageType>): Field {
  const [, number, name = "", shape, type = "", presence, always, inline, packed, json] = FIELD.exec(written) ?? [];
  if (number === undefined) throw new Error(`Invalid field: ${written}`);
  return {
    number: Number(number),
    name: json ?? name,
    type: typeOf(type, owner, messages),
    shape: shape === "[]" ? "list" : shape === "{}" ? "map" : "one",
    hasPresence: presence !== undefined,
    isAlwaysWritten: always !== undefined,
    isInline: inline !== undefined,
    isPacked: packed !== undefined,
  };
}

function typeOf(type: string, owner: string, messages: ReadonlyMap<string, MessageType>): FieldType {
  const scalar = SCALARS.find((one) => one === type);
  if (scalar) return { kind: "scalar", scalar };
  if (type.startsWith("enum:")) return { kind: "enum", names: type.slice("enum:".length).split("|") };
  const message = messages.get(type.includes(".") ? type : `${owner}.${type}`);
  if (!message) throw new Error(`No message ${type} in the package ${owner}`);
  return { kind: "message", message };
}

/**
 * Returns the methods of a table: a line with the name of a service, followed by a line per method.
 * @throws {Error} for an invalid table, with the line.
 */
export function readMethods(text: string, messages: ReadonlyMap<string, MessageType>): readonly Method[] {
  const methods: Method[] = [];
  let service = "";
  const messageOf = (name: string) => {
    const message = messages.get(name);
    if (!message) throw new Error(`No message ${name}`);
    return message;
  };
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    if (!line.startsWith(" ")) {
      service = line;
      continue;
    }
    const [, name, input, stream, output] = /^ {2}(\w+) ([\w.]+) -> (stream )?([\w.]+)$/.exec(line) ?? [];
    if (!name || !input || !output) throw new Error(`Invalid method: ${line}`);
    methods.push({
      path: `/${service}/${name}`,
      id: `${service.slice(service.indexOf(".") + 1)}_${name}`,
      input: messageOf(input),
      output: messageOf(output),
      isStream: stream !== undefined,
    });
  }
  return methods;
}
