/** Texts of the graph of a manifest: its parts, and why some are not drawn. */
import { grouped } from "../en.ts";

export const drawing = "Drawing the graph …";
export const label = "Graph of the manifest";
/** The kind of a template that does not set one. */
export const noKind = "no kind";
/** A template that calls itself, directly or not. It is drawn once. */
export const calledFromItself = (kind: string) => `${kind}, calls itself`;
/** A template beyond the limits of depth or of parts. */
export const notOpened = (kind: string) => `${kind}, not opened`;
export const isMissing = "no such template";
export const isUnknown = "unknown";
export const handler = (kind: string) => `handler: ${kind}`;
export const exitHandler = "onExit";

/** Shown above a graph that is not drawn completely. */
export const partsLimited = (parts: number) => `Only the first ${grouped(parts)} parts are drawn.`;
export const referencesNotDrawn = (objects: string) => `References that are not drawn: ${objects}.`;
export const missingReference = (object: string, reason: string) => `${object} (${reason})`;
/** The reason why a template is not read: the namespace is known only when a run starts. */
export const unknownNamespace = "depends on the namespace of the run";
export const tooManyObjects = "too many objects";
export const cannotBeDrawn = (problem: string) => `The graph is not drawn: ${problem}`;
export const textHasProblem = (problem: string) => `The graph is out of date: ${problem}`;
export const textIsTooLong = "The graph is not drawn for a text of more than 256 KB.";
export const nothing = "This manifest has no templates.";

export const findField = "Find in the graph";
/** The template at which the graph starts. */
export const beginsAtField = "Start at";
export const allTemplates = "all templates";

export const panelLabel = (name: string) => `${name} in the manifest`;
export const kindField = "Kind";
export const templateField = "Template";
export const imageField = "Image";
export const commandField = "Command";
export const argumentsField = "Arguments";
export const sourceField = "Script";
export const afterField = "After";
export const whenField = "When";
export const itemsField = "Items";
export const retriesField = "Retries";
export const unlimited = "unlimited";
export const timesAtMost = (count: string) => `up to ${count}`;
export const inputsField = "Inputs";
export const outputsField = "Outputs";
export const callLine = (line: number) => `Call, line ${grouped(line)}`;
export const templateLine = (line: number) => `Template, line ${grouped(line)}`;
export const objectLink = (name: string) => `Open ${name}`;
