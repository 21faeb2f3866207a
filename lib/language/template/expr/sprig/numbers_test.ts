import { expectResults } from "../testing/run.ts";

Deno.test("conversions: a value that is not a number is 0", () => {
  expectResults({
    "sprig.atoi('12')": "12",
    "sprig.atoi('x')": "0",
    "sprig.int('0x10')": "16",
    "sprig.int64('010')": "8",
    "sprig.float64('1.5')": "1.5",
    "sprig.float64('x')": "0",
    "sprig.toDecimal('777')": "511",
  });
});

Deno.test("integer arithmetic: returns int64", () => {
  expectResults({
    "sprig.add(1, '2', 3.9)": "6",
    "type(sprig.add(1, 2))": '"int"',
    "sprig.add1(1)": "2",
    "sprig.sub(5, 3)": "2",
    "sprig.div(7, 2)": "3",
    "sprig.div(1, 0)": "!run: runtime error: integer divide by zero",
    "sprig.mod(7, 3)": "1",
    "sprig.mul(2, 3, 4)": "24",
    "sprig.max(1, 5, 3)": "5",
    "sprig.biggest(1, 5)": "5",
    "sprig.min(1, 5, 3)": "1",
  });
});

Deno.test("decimal arithmetic: returns floats", () => {
  expectResults({
    "sprig.addf(0.1, 0.2)": "0.3",
    "sprig.add1f(1.5)": "2.5",
    "sprig.subf(1.5, 1)": "0.5",
    "sprig.mulf(1.5, 2)": "3",
    "sprig.divf(1, 4)": "0.25",
    "sprig.maxf(1.5, 2)": "2",
    "sprig.minf(1.5, 2)": "1.5",
    "sprig.ceil(1.2)": "2",
    "sprig.floor(1.8)": "1",
    "sprig.round(123.5555, 3)": "123.556",
    "sprig.round(2.5, 0, 0.6)": "2",
  });
});

Deno.test("seq and until: count up and down", () => {
  expectResults({
    "sprig.until(3)": "[0,1,2]",
    "sprig.until(-2)": "[0,-1]",
    "sprig.untilStep(0, 6, 2)": "[0,2,4]",
    "sprig.seq(3)": '"1 2 3"',
    "sprig.seq(2, 4)": '"2 3 4"',
    "sprig.seq(0, 2, 5)": '"0 2 4"',
    "sprig.seq()": '""',
  });
});

Deno.test("toInt64: a text with a too large integer is the nearest int64", () => {
  expectResults({
    "sprig.atoi('9223372036854775808')": "9223372036854775807",
    "sprig.atoi('-9223372036854775809')": "-9223372036854775808",
    "sprig.atoi('9x')": "0",
    "sprig.atoi('99999999999999999999x')": "9223372036854775807",
    "sprig.duration('-99999999999999999999s')": '"0s"',
  });
});

Deno.test("maxf and minf: are infinite if one operand is, even if the other is NaN", () => {
  expectResults({
    "string(sprig.maxf('inf', 'nan', 1))": '"+Inf"',
    "string(sprig.minf('-inf', 'nan', 1))": '"-Inf"',
    "string(sprig.maxf('nan', 1))": '"NaN"',
  });
});
