/** Words of the graph of a manifest: what its parts are, and what is not drawn. */
import { grouped } from "../en.ts";

export const drawing = "Drawing the graph …";
export const label = "Graph of the manifest";
/** The kind of a template that says none. */
export const noKind = "no kind";
/** A template that is called from itself, however far: it is drawn once. */
export const calledFromItself = (kind: string) => `${kind}, calls itself`;
/** A template that lies deeper, or after more parts, than are drawn. */
export const notOpened = (kind: string) => `${kind}, not opened`;
export const isMissing = "no such template";
export const isUnknown = "not known here";
export const handler = (kind: string) => `handler: ${kind}`;
export const exitHandler = "onExit";

/** Above a graph of which not everything is drawn. */
export const isCut = (parts: number) => `More than ${grouped(parts)} parts: what comes after them is not opened.`;
export const lacking = (objects: string) => `Named and not drawn: ${objects}.`;
export const lackOf = (object: string, reason: string) => `${object} (${reason})`;
/** Why a template of a namespace is not looked for. */
export const namespaceIsOpen = "of the namespace that a run is in";
export const tooManyObjects = "too many objects";
export const cannotBeDrawn = (problem: string) => `The graph is not drawn: ${problem}`;
export const textHasProblem = (problem: string) => `This is the graph of the text before: ${problem}`;
export const textIsTooLong = "The graph is not drawn beside a text of more than 256 KB.";
export const nothing = "This manifest has no templates.";

export const findField = "Find in the graph";
/** The template that the graph begins at. */
export const beginsAtField = "Begins at";
export const allTemplates = "all templates";

export const panelLabel = (name: string) => `${name} in the manifest`;
export const kindField = "Kind";
export const templateField = "Template";
export const imageField = "Image";
export const commandField = "Command";
export const argumentsField = "Arguments";
export const sourceField = "Script";
export const afterField = "After";
export const whenField = "Only when";
export const itemsField = "For each of";
export const retriesField = "Tried again";
export const unlimited = "without a limit";
export const timesAtMost = (count: string) => `${count} times at most`;
export const inputsField = "Takes";
export const outputsField = "Gives";
export const callLine = (line: number) => `Call, line ${grouped(line)}`;
export const templateLine = (line: number) => `Template, line ${grouped(line)}`;
export const objectLink = (name: string) => `Open ${name}`;
