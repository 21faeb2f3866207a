/** Words of the viewer of logs. */
import { grouped } from "../en.ts";

export const logLabel = "Log";
export const lineLabel = (number: number) => `Line ${number}`;
/** The button of lines that are shown as one. */
export const alikeButton = (count: number) => `${grouped(count)} alike`;
/** The buttons of a line that is long: it is unfolded, and copied whole. */
export const lettersButton = (count: number) => `${grouped(count)} characters`;
export const copyLineButton = "Copy the line";
/** The end of a line that is too long to be shown. */
export const restOfLine = (characters: number) => `… ${grouped(characters)} more characters: download it`;
