import { expectResults } from "../testing/run.ts";

Deno.test("abs: keeps the type of its number", () => {
  expectResults({
    "abs(-3)": "3",
    "type(abs(-3))": '"int"',
    "abs(-1.5)": "1.5",
    "abs('1')": "!compile: invalid argument for abs (type string)",
  });
});

Deno.test("ceil, floor and round: return floats, halves rounded away from zero", () => {
  expectResults({
    "round(2.5)": "3",
    "round(-2.5)": "-3",
    "ceil(-1.5)": "-1",
    "floor(-1.5)": "-2",
    "type(ceil(1))": '"float"',
  });
});

Deno.test("int and float: parse numbers in texts by different rules", () => {
  expectResults({
    "int(3.9)": "3",
    "int('+5')": "5",
    "int('0x10')": "!run: invalid operation: int(0x10)",
    "int(' 1')": "!run: invalid operation: int( 1)",
    "float('0x1p4')": "16",
    "float('inf') > 1e308": "true",
    "float('1_0')": "10",
    "float('x')": "!run: invalid operation: float(x)",
    "int(true)": "!compile: invalid argument for int (type bool)",
  });
});

Deno.test("max, min, mean and median: include nested lists; the result of an empty list is nil or 0", () => {
  expectResults({
    "max(1, 2.5)": "2.5",
    "min([3, [1]])": "1",
    "max([])": "null",
    "min([])": "null",
    "mean([1, 2])": "1.5",
    "mean([])": "0",
    "median([3, 1, 2])": "2",
    "median([])": "0",
    "max('a')": "!compile: invalid argument for max (type string)",
  });
});

Deno.test("bit functions: work on 64-bit integers and reject negative shifts", () => {
  expectResults({
    "bitand(6, 3)": "2",
    "bitor(6, 3)": "7",
    "bitxor(6, 3)": "5",
    "bitnand(6, 3)": "4",
    "bitnot(0)": "-1",
    "bitshl(1, 4)": "16",
    "bitshr(-16, 2)": "-4",
    "bitushr(-1, 63)": "1",
    "bitshl(1, -1)": "!run: invalid operation: negative shift count -1 (type int)",
    "bitand(1.5, 1)": "!compile: cannot use float64 as argument (type int) to call bitand ",
  });
});

Deno.test("median: NaN is smaller than all numbers", () => {
  expectResults({
    "median(3, 1, 2)": "2",
    "median([0/0, 5, 7])": "5",
    "median([1, 2, 3, 0/0])": "1.5",
  });
});
