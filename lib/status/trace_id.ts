/** The ID of a workflow's trace: its UID, which has as many bytes. */

/** 32 hexadecimal digits; undefined for a UID of another form. */
export function traceIdOf(uid: string): string | undefined {
  const digits = uid.replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) && !/^0+$/.test(digits) ? digits : undefined;
}
