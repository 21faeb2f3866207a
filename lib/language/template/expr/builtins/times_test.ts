import { expectResults } from "../testing/run.ts";

Deno.test("duration: accepts Go's units, which do not include days", () => {
  expectResults({
    "duration('1h30m')": "5400000000000",
    "string(duration('1.5h'))": '"1h30m0s"',
    "duration('1d')": '!run: time: unknown unit "d" in duration "1d"',
    "duration('1h').Minutes()": "60",
  });
});

Deno.test("date: tries common layouts, or uses the given one", () => {
  expectResults({
    "date('2024-02-29')": '"2024-02-29T00:00:00Z"',
    "date('12:30:00')": '"0000-01-01T12:30:00Z"',
    "date('2024-02-29T12:00:00+02:00')": '"2024-02-29T12:00:00+02:00"',
    "date('Thu, 29 Feb 2024 12:00:00 UTC')": '"2024-02-29T12:00:00Z"',
    "date('29/02/24', '02/01/06')": '"2024-02-29T00:00:00Z"',
    "date('x', '2006')": '!run: parsing time "x" as "2006": cannot parse "x" as "2006"',
  });
});

Deno.test("date: a zone may be the first or last argument", () => {
  expectResults({
    "date('Europe/Berlin', '2024-07-01')":
      '!run: parsing time "Europe/Berlin" as "2024-07-01": cannot parse "Europe/Berlin" as "2"',
    "date('2024-07-01', '2006-01-02', 'America/New_York')": '"2024-07-01T00:00:00-04:00"',
    "timezone('Mars/Olympus')": "!run: unknown time zone Mars/Olympus",
  });
});

Deno.test("now: advances, and is in the given zone", () => {
  expectResults({
    "now() >= date('2024-01-01')": "true",
    "string(now(timezone('Asia/Tokyo')).Location())": '"Asia/Tokyo"',
    "now(timezone('UTC')) - now() < duration('1h')": "true",
    "now(let zone = timezone('UTC'); zone).Year() > 2000": "true",
    "string(now('Asia/Tokyo').Location())": "!compile: invalid number of arguments (expected 0, got 1)",
  });
});

Deno.test("round: results saturate at the longest duration", () => {
  expectResults({
    "duration('2562047h47m16.854775807s').Round(duration('1h'))": "9223372036854775807",
    "duration('-2562047h47m16.854775807s').Round(duration('1h'))": "-9223372036854775808",
  });
});

Deno.test("minus: subtracting the shortest duration adds it, because it has no negation", () => {
  expectResults({
    "(date('2000-01-01') - (date('0001-01-01') - date('2000-01-01'))).Year()": "1707",
  });
});
