/** Texts of the calendar of a schedule. */
import { grouped, plural } from "../en.ts";

export const heading = "Calendar";
export const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/** The runs to come on a day. */
export const planned = (count: number, isMore: boolean) =>
  `${isMore ? "more than " : ""}${grouped(count)} ${plural(count, "run", "runs")} planned`;
