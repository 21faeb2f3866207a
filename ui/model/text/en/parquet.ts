/** Texts of reasons why a Parquet file, or one of its columns, is not shown. They end a sentence. */

export const damaged = "it is damaged";
export const isIncomplete = "it is incomplete";
export const isElsewhere = "it is stored in another file";
export const tooManyBytes = "it requires reading too many bytes";
export const tooManyColumns = "it has too many columns";
export const columnsTooDeep = "its columns are nested too deeply";
export const metadataTooDeep = "its metadata is nested too deeply";
export const metadataTooLarge = "its metadata is too large";
export const pagesTooLarge = "its pages are too large";
export const noVariants = "values of the type VARIANT are not shown";
export const unknownCodec = (codec: string | number) => `the page does not support its compression ${codec}`;
export const unknownEncoding = (encoding: string | number) => `the page does not support its encoding ${encoding}`;
