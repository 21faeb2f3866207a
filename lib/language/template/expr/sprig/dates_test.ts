import { expectResults } from "../testing/run.ts";

Deno.test("dates: are formatted by Go's layouts, in UTC or the given zone", () => {
  expectResults({
    "sprig.date('2006-01-02', date('2024-02-29'))": '"2024-02-29"',
    "sprig.date_in_zone('15:04 MST', date('2024-07-01'), 'America/New_York')": '"20:00 EDT"',
    "sprig.dateInZone('15:04', date('2024-07-01'), 'Nowhere')": '"00:00"',
    "sprig.htmlDate(date('2024-02-29'))": '"2024-02-29"',
    "sprig.htmlDateInZone(date('2024-02-29'), 'Asia/Tokyo')": '"2024-02-29"',
    "sprig.unixEpoch(date('2024-02-29'))": '"1709164800"',
  });
});

Deno.test("dateModify: moves a date by a duration; an invalid one leaves it or fails", () => {
  expectResults({
    "sprig.dateModify('-1.5h', date('2024-02-29'))": '"2024-02-28T22:30:00Z"',
    "sprig.date_modify('x', date('2024-02-29'))": '"2024-02-29T00:00:00Z"',
    "sprig.mustDateModify('x', date('2024-02-29'))": '!run: time: invalid duration "x"',
    "sprig.must_date_modify('24h', date('2024-02-29'))": '"2024-03-01T00:00:00Z"',
  });
});

Deno.test("toDate: returns Go's zero date for invalid text, and mustToDate fails", () => {
  expectResults({
    "sprig.toDate('2006-01-02', '2024-02-29')": '"2024-02-29T00:00:00Z"',
    "sprig.toDate('2006-01-02', 'x')": '"0001-01-01T00:00:00Z"',
    "sprig.mustToDate('2006-01-02', 'x')": '!run: parsing time "x" as "2006-01-02": cannot parse "x" as "2006"',
  });
});

Deno.test("duration: formats seconds like Go, and durationRound rounds to the largest unit", () => {
  expectResults({
    "sprig.duration('95')": '"1m35s"',
    "sprig.duration(95)": '"0s"',
    "sprig.durationRound('2h10m5s')": '"2h"',
    "sprig.durationRound('400h')": '"16d"',
    "sprig.durationRound('2400h10m5s')": '"3mo"',
  });
});
