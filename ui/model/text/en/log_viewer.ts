/** Texts of the log viewer. */
import { grouped } from "../en.ts";

export const logLabel = "Log";
export const lineLabel = (number: number) => `Line ${number}`;
/** Unfolds similar lines that are shown as one. */
export const similarLinesButton = (count: number) => `${grouped(count)} similar`;
/** Unfolds the frames of a stack trace. */
export const stackTraceButton = (count: number) => `${grouped(count)} lines of stack trace`;
/** Unfold a long line, and copy it whole. */
export const moreCharactersButton = (count: number) => `${grouped(count)} characters`;
export const copyLineButton = "Copy the line";
/** The end of a line that is too long to show. */
export const restOfLine = (characters: number) => `… ${grouped(characters)} more characters: download it`;
