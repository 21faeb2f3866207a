/** Words of the reasons not to show a Parquet file, or a column of one, as they end a sentence. */

export const damaged = "it is damaged";
export const brokeOff = "it broke off";
export const liesElsewhere = "it lies elsewhere";
export const tooManyBytes = "too many bytes would be read for it";
export const tooManyColumns = "it has too many columns";
export const columnsTooDeep = "its columns are nested too deeply";
export const metadataTooDeep = "its metadata is nested too deeply";
export const metadataTooLarge = "its metadata is too large";
export const pagesTooLarge = "its pages are too large";
export const noVariants = "values of the type VARIANT are not shown";
export const unknownCodec = (codec: string | number) => `it is packed with ${codec}, which the page does not unpack`;
export const unknownEncoding = (encoding: string | number) =>
  `it is written in the encoding ${encoding}, which the page does not read`;
