/** Texts of the types that a field of a manifest accepts. */

export const text = "text";
export const texts = "texts";
export const wholeNumber = "whole number";
export const wholeNumbers = "whole numbers";
export const number = "number";
export const numbers = "numbers";
export const trueOrFalse = "true or false";
export const object = "object";
export const objects = "objects";
export const list = "list";
export const lists = "lists";
export const nothing = "nothing";
export const anything = "anything";

export const either = (kinds: readonly string[]) => kinds.join(" or ");
export const always = (value: string) => `always ${value}`;
export const oneOf = (values: readonly string[]) => `one of ${values.join(", ")}`;
export const listOf = (kinds: string) => `list of ${kinds}`;
