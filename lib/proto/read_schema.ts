/**
 * Messages and methods as the texts of `schema/` tell them. A message is a line with its name and lines with its fields,
 * separated by `;`: number, name, type, and what else is true of it.
 *
 *     Artifact
 *       1 name string; 3 mode int32?; 5 artifactLocation ArtifactLocation inline; 7 labels {}string; 8 items []Item
 *
 * `?` is a field whose zero is told from its absence, `!` a field that Go's JSON always has (its tag has no `omitempty`),
 * `{}` a map from texts, `inline` a message whose fields stand among
 * those of the enclosing object in JSON, `packed` a list whose items stand behind one tag, `json=` another name there. `Item => value` is a message that is its one field in
 * JSON. The type `json` is JSON as bytes, `number` a number as a text, `anyString` a text that stored objects may have as a
 * number or boolean, and `hex` are bytes that JSON has in hexadecimal.
 */

/** The types of fields that hold no message. */
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

/** The type of a field: a scalar, one of the names of an enumeration, or a message. */
export type FieldType =
  | { readonly kind: "scalar"; readonly scalar: Scalar }
  | { readonly kind: "enum"; readonly names: readonly string[] }
  | { readonly kind: "message"; readonly message: MessageType };

export interface Field {
  readonly number: number;
  /** Its name in JSON. */
  readonly name: string;
  readonly type: FieldType;
  readonly shape: "one" | "list" | "map";
  /** Whether its zero is told from its absence. */
  readonly hasPresence: boolean;
  /** Whether Go's JSON has the field also when it is not set. */
  readonly isAlwaysWritten: boolean;
  readonly isInline: boolean;
  /** Whether the items of a list stand together behind one tag. */
  readonly isPacked: boolean;
}

export interface MessageType {
  /** With its package: `argo.Workflow`. */
  readonly name: string;
  readonly fields: readonly Field[];
  readonly byNumber: ReadonlyMap<number, Field>;
  /** The field that it is in JSON; undefined for an object with its fields. */
  readonly standsFor: Field | undefined;
}

export interface Method {
  /** `/workflow.WorkflowService/GetWorkflow`. */
  readonly path: string;
  /** The operation as Argo's description of its API names it: `WorkflowService_GetWorkflow`. */
  readonly id: string;
  readonly input: MessageType;
  readonly output: MessageType;
  /** Whether it answers with a stream of messages. */
  readonly isStream: boolean;
}

interface Growing extends MessageType {
  readonly fields: Field[];
  readonly byNumber: Map<number, Field>;
  standsFor: Field | undefined;
}

/**
 * The messages of these texts by their names.
 * @throws {Error} for a text that is wrong, with the line.
 */
export function readMessages(texts: readonly string[]): ReadonlyMap<string, MessageType> {
  const messages = new Map<string, Growing>();
  const blocks = texts.flatMap(blocksOf);
  for (const { name } of blocks) {
    if (messages.has(name)) throw new Error(`The message ${name} stands there twice`);
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
  if (number === undefined) throw new Error(`No field of a message: ${written}`);
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
 * The methods of this text: a line with the name of a service, and a line for each method.
 * @throws {Error} for a text that is wrong, with the line.
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
    if (!name || !input || !output) throw new Error(`No method of a service: ${line}`);
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
