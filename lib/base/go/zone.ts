/** Time zones: UTC, fixed offsets, and the IANA database of the platform's `Intl`. */
import { UserError } from "../user_error.ts";
import { daysFromCivil } from "./calendar.ts";
import { ZONE_NAMES } from "./zone_names.ts";

/** The offset from UTC at an instant, and its abbreviation. */
export interface ZoneOffset {
  readonly seconds: number;
  readonly abbreviation: string;
}

/** The error of an unknown zone, with Go's message. */
export class ZoneError extends UserError {
  override name = "ZoneError";
}

/** A time zone. `name` is the result of `Location.String()`. */
export class GoZone {
  private constructor(
    readonly name: string,
    private readonly fixed: ZoneOffset | undefined,
    private readonly formatter: Intl.DateTimeFormat | undefined,
  ) {}

  static readonly UTC: GoZone = new GoZone("UTC", { seconds: 0, abbreviation: "UTC" }, undefined);
  private static readonly zones = new Map<string, GoZone>();

  /** Returns a zone with a fixed offset. Without an abbreviation, the offset is printed. */
  static fixed(seconds: number, abbreviation = ""): GoZone {
    return new GoZone(abbreviation, { seconds, abbreviation }, undefined);
  }

  /**
   * `time.LoadLocation`: an IANA name, `UTC`, `Local` (UTC in the controller) or the empty name; throws a ZoneError for
   * others.
   */
  static load(name: string): GoZone {
    if (name === "" || name === "UTC") return GoZone.UTC;
    if (name === "Local") return new GoZone("Local", GoZone.UTC.fixed, undefined);
    const known = GoZone.zones.get(name);
    if (known !== undefined) return known;
    const zone = tryFormatter(name);
    if (zone === undefined || !isInDatabase(name, zone)) throw new ZoneError(`unknown time zone ${name}`);
    const loaded = new GoZone(name, undefined, zone);
    GoZone.zones.set(name, loaded);
    return loaded;
  }

  get isUTC(): boolean {
    return this === GoZone.UTC;
  }

  get isLocal(): boolean {
    return this.name === "Local";
  }

  /** The offset in force at an instant given in Unix seconds. */
  at(unixSeconds: number): ZoneOffset {
    if (this.fixed !== undefined) return this.fixed;
    return { seconds: offsetOf(this.formatter!, unixSeconds), abbreviation: this.abbreviationAt(unixSeconds) };
  }

  /**
   * The seconds of the offset at an instant, as in {@link at}: without the abbreviation, which takes three times as
   * long, and cached for the surrounding days. No zone changes its offset twice within a day of UTC.
   */
  secondsAt(unixSeconds: number): number {
    if (this.fixed !== undefined) return this.fixed.seconds;
    const day = Math.floor(unixSeconds / DAY_SECONDS);
    const [before, after] = [this.#atStart(day), this.#atStart(day + 1)];
    return before === after ? before : offsetOf(this.formatter!, unixSeconds);
  }

  readonly #starts = new Map<number, number>();

  /** The offset in seconds at the start of a day of UTC. */
  #atStart(day: number): number {
    const known = this.#starts.get(day);
    if (known !== undefined) return known;
    if (this.#starts.size >= MAX_CACHED_DAYS) this.#starts.clear();
    const offset = offsetOf(this.formatter!, day * DAY_SECONDS);
    this.#starts.set(day, offset);
    return offset;
  }

  /**
   * Returns the instant (Unix seconds) at which local clocks show `localSeconds` since 1970. For times that clocks skip
   * or repeat, the choice is Go's: the offset at the time taken as UTC, then the offset at the resulting instant.
   */
  toUnix(localSeconds: number): number {
    return localSeconds - this.secondsAt(localSeconds - this.secondsAt(localSeconds));
  }

  /** Returns the offset of an abbreviation at local clocks' `localSeconds`, or half a year before or after. */
  offsetNamed(abbreviation: string, localSeconds: number): number | undefined {
    const times = [this.toUnix(localSeconds), localSeconds - HALF_YEAR, localSeconds + HALF_YEAR];
    return times.map((time) => this.at(time)).find((offset) => offset.abbreviation === abbreviation)?.seconds;
  }

  private abbreviationAt(unixSeconds: number): string {
    const seconds = offsetOf(this.formatter!, unixSeconds);
    // Only local mean time, before standard time was introduced, has an offset with seconds.
    if (seconds % 60 !== 0) return "LMT";
    const named = ABBREVIATIONS[this.name]?.find(([offset]) => offset === seconds);
    if (named !== undefined) return named[1];
    // The host has no abbreviations before 1970: that of a later time with the same offset is used.
    const times = unixSeconds >= 0
      ? [unixSeconds]
      : LATER_INSTANTS.filter((time) => offsetOf(this.formatter!, time) === seconds);
    const names = times.map((time) => zoneName(this.formatter!, time));
    return names.find((name) => /^[A-Z]{3,5}$/.test(name) && name !== "GMT") ?? offsetDigits(seconds);
  }
}

const DAY_SECONDS = 86_400;
/** Maximum number of cached days per zone. */
const MAX_CACHED_DAYS = 1000;
const HALF_YEAR = 183 * DAY_SECONDS;
/** Instants after 1970, in standard and daylight time, that supply the abbreviations for earlier times. */
const LATER_INSTANTS = [1, 7].flatMap((month) => [1971, 2001].map((year) => daysFromCivil(year, month, 1) * 86_400));

function tryFormatter(name: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
      era: "short",
      timeZoneName: "short",
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Whether the zone database has this exact name. Names that are newer than the list are accepted if `Intl` uses them as
 * canonical.
 */
function isInDatabase(name: string, formatter: Intl.DateTimeFormat): boolean {
  if (ZONE_NAMES.has(name)) return true;
  return /^[A-Z][a-z]+\//.test(name) && formatter.resolvedOptions().timeZone === name;
}

function offsetOf(formatter: Intl.DateTimeFormat, unixSeconds: number): number {
  const field: Record<string, string> = {};
  for (const part of partsAt(formatter, unixSeconds)) field[part.type] = part.value;
  const year = field.era === "BC" ? 1 - Number(field.year) : Number(field.year);
  const days = daysFromCivil(year, Number(field.month), Number(field.day));
  const seconds = (Number(field.hour) * 60 + Number(field.minute)) * 60 + Number(field.second);
  return days * 86_400 + seconds - clampToHost(unixSeconds);
}

function partsAt(formatter: Intl.DateTimeFormat, unixSeconds: number): Intl.DateTimeFormatPart[] {
  return formatter.formatToParts(clampToHost(unixSeconds) * 1000);
}

/** The host supports 270,000 years around 1970; instants beyond have the offset at that limit. */
function clampToHost(unixSeconds: number): number {
  return Math.max(-8.6e12, Math.min(8.6e12, unixSeconds));
}

function zoneName(formatter: Intl.DateTimeFormat, unixSeconds: number): string {
  return partsAt(formatter, unixSeconds).find((part) => part.type === "timeZoneName")?.value ?? "";
}

function offsetDigits(seconds: number): string {
  const minutes = Math.trunc(Math.abs(seconds) / 60);
  const hours = String(Math.trunc(minutes / 60)).padStart(2, "0");
  const rest = minutes % 60;
  return (seconds < 0 ? "-" : "+") + hours + (rest === 0 ? "" : String(rest).padStart(2, "0"));
}

/** Abbreviations that the zone database has and `Intl` prints as offsets: [seconds, abbreviation] per zone. */
const ABBREVIATIONS: Readonly<Record<string, readonly (readonly [number, string])[]>> = expand([
  ["WET/WEST", 0, 3600, "Europe/Lisbon Atlantic/Canary Atlantic/Madeira Atlantic/Faroe Atlantic/Faeroe Portugal WET"],
  ["GMT/BST", 0, 3600, "Europe/London Europe/Belfast Europe/Jersey Europe/Guernsey Europe/Isle_of_Man GB GB-Eire"],
  ["GMT/IST", 0, 3600, "Europe/Dublin Eire"],
  [
    "CET/CEST",
    3600,
    7200,
    "Europe/Amsterdam Europe/Andorra Europe/Belgrade Europe/Berlin Europe/Bratislava Europe/Brussels Europe/Budapest Europe/Copenhagen Europe/Gibraltar Europe/Ljubljana Europe/Luxembourg Europe/Madrid Europe/Malta Europe/Monaco Europe/Oslo Europe/Paris Europe/Podgorica Europe/Prague Europe/Rome Europe/San_Marino Europe/Sarajevo Europe/Skopje Europe/Stockholm Europe/Tirane Europe/Vaduz Europe/Vatican Europe/Vienna Europe/Warsaw Europe/Zagreb Europe/Zurich Africa/Ceuta Africa/Tunis Africa/Algiers Arctic/Longyearbyen Atlantic/Jan_Mayen Europe/Busingen CET Poland",
  ],
  [
    "EET/EEST",
    7200,
    10800,
    "Europe/Athens Europe/Bucharest Europe/Chisinau Europe/Helsinki Europe/Kiev Europe/Kyiv Europe/Mariehamn Europe/Riga Europe/Sofia Europe/Tallinn Europe/Vilnius Asia/Beirut Asia/Nicosia Africa/Cairo Europe/Kaliningrad Asia/Gaza Asia/Hebron Asia/Famagusta Europe/Nicosia Europe/Tiraspol Europe/Uzhgorod Europe/Zaporozhye EET Egypt",
  ],
  // Zones whose second offset has its own abbreviation: for summer time, or for a later change.
  ["EET/EET", 7200, 7200, "Asia/Amman Asia/Damascus Asia/Istanbul Europe/Istanbul Europe/Minsk Turkey"],
  ["CET/EET", 3600, 7200, "Africa/Tripoli Libya"],
  ["MET/MEST", 3600, 7200, "MET"],
  ["MSK/MSD", 10800, 14400, "Europe/Moscow Europe/Simferopol Europe/Kirov Europe/Volgograd W-SU"],
  ["IST/IDT", 7200, 10800, "Asia/Jerusalem Asia/Tel_Aviv Israel"],
  ["PKT/PKST", 18000, 21600, "Asia/Karachi"],
  ["IST/IST", 19800, 23400, "Asia/Kolkata Asia/Calcutta"],
  ["WIB/WIB", 25200, 25200, "Asia/Jakarta Asia/Pontianak"],
  ["WITA/WITA", 28800, 28800, "Asia/Makassar Asia/Ujung_Pandang"],
  ["WIT/WIT", 32400, 32400, "Asia/Jayapura"],
  [
    "CST/CDT",
    28800,
    32400,
    "Asia/Shanghai Asia/Taipei Asia/Macau Asia/Macao Asia/Chongqing Asia/Chungking Asia/Harbin PRC ROC",
  ],
  ["HKT/HKST", 28800, 32400, "Asia/Hong_Kong Hongkong"],
  ["PST/PDT", 28800, 32400, "Asia/Manila"],
  ["KST/KDT", 32400, 36000, "Asia/Seoul Asia/Pyongyang ROK"],
  ["JST/JDT", 32400, 36000, "Asia/Tokyo Japan"],
  ["AWST/AWDT", 28800, 32400, "Australia/Perth Australia/West"],
  [
    "ACST/ACDT",
    34200,
    37800,
    "Australia/Adelaide Australia/Darwin Australia/Broken_Hill Australia/Yancowinna Australia/South Australia/North",
  ],
  [
    "AEST/AEDT",
    36000,
    39600,
    "Australia/Sydney Australia/Melbourne Australia/Brisbane Australia/Hobart Australia/Canberra Australia/Currie Australia/Lindeman Australia/ACT Australia/NSW Australia/Queensland Australia/Tasmania Australia/Victoria Antarctica/Macquarie",
  ],
  ["NZST/NZDT", 43200, 46800, "Pacific/Auckland Antarctica/McMurdo Antarctica/South_Pole NZ"],
  ["ChST/ChST", 36000, 36000, "Pacific/Guam Pacific/Saipan"],
  ["SST/SST", -39600, -39600, "Pacific/Pago_Pago Pacific/Midway Pacific/Samoa US/Samoa"],
  ["HST/HDT", -36000, -32400, "Pacific/Honolulu America/Adak America/Atka US/Aleutian US/Hawaii HST"],
  [
    "MST/MDT",
    -25200,
    -21600,
    "America/Ciudad_Juarez America/Dawson America/Hermosillo America/Mazatlan America/Whitehorse Canada/Yukon Mexico/BajaSur",
  ],
  ["NST/NDT", -12600, -9000, "America/St_Johns Canada/Newfoundland"],
  ["CST/CDT", -18000, -14400, "America/Havana Cuba"],
  [
    "GMT/GMT",
    0,
    0,
    "Africa/Abidjan Africa/Accra Africa/Dakar Africa/Bamako Africa/Monrovia Africa/Lome Africa/Banjul Africa/Bissau Africa/Conakry Africa/Freetown Africa/Nouakchott Africa/Ouagadougou Africa/Sao_Tome Africa/Timbuktu America/Danmarkshavn Atlantic/Reykjavik Atlantic/St_Helena Iceland GMT GMT0 GMT+0 GMT-0 Etc/GMT Etc/GMT0 Etc/GMT+0 Etc/GMT-0 Etc/Greenwich Greenwich",
  ],
  [
    "WAT/WAT",
    3600,
    3600,
    "Africa/Lagos Africa/Kinshasa Africa/Luanda Africa/Ndjamena Africa/Niamey Africa/Libreville Africa/Douala Africa/Bangui Africa/Brazzaville Africa/Malabo Africa/Porto-Novo",
  ],
  ["SAST/SAST", 7200, 7200, "Africa/Johannesburg Africa/Maseru Africa/Mbabane"],
  [
    "CAT/CAT",
    7200,
    7200,
    "Africa/Maputo Africa/Harare Africa/Lusaka Africa/Kigali Africa/Gaborone Africa/Khartoum Africa/Windhoek Africa/Juba Africa/Lubumbashi Africa/Blantyre Africa/Bujumbura",
  ],
  [
    "EAT/EAT",
    10800,
    10800,
    "Africa/Nairobi Africa/Addis_Ababa Africa/Kampala Africa/Dar_es_Salaam Africa/Mogadishu Africa/Asmara Africa/Asmera Africa/Djibouti Indian/Antananarivo Indian/Comoro Indian/Mayotte",
  ],
  ["UTC/UTC", 0, 0, "Etc/UTC Etc/UCT Etc/Zulu Etc/Universal UCT Zulu Universal"],
]);

function expand(
  rows: readonly (readonly [string, number, number, string])[],
): Record<string, readonly (readonly [number, string])[]> {
  const table: Record<string, readonly (readonly [number, string])[]> = Object.create(null);
  for (const [letters, standard, summer, zones] of rows) {
    const [winter = "", dst = ""] = letters.split("/");
    for (const zone of zones.split(" ")) {
      table[zone] = standard === summer ? [[standard, winter]] : [[standard, winter], [summer, dst]];
    }
  }
  return table;
}
