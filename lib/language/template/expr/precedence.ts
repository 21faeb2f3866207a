/** The binary operators and their precedence. */

export interface Operator {
  readonly precedence: number;
  readonly rightAssociative?: boolean;
}

export const BINARY: ReadonlyMap<string, Operator> = new Map(
  ([
    [["|"], 0],
    [["or", "||"], 10],
    [["and", "&&"], 15],
    [["==", "!=", "<", "<=", ">", ">=", "in", "matches", "contains", "startsWith", "endsWith"], 20],
    [[".."], 25],
    [["+", "-"], 30],
    [["*", "/", "%"], 60],
    [["**", "^"], 100],
    [["??"], 500],
  ] as const).flatMap(([operators, precedence]) =>
    operators.map((operator): [string, Operator] => [operator, {
      precedence,
      rightAssociative: precedence === 100,
    }])
  ),
);

export const UNARY: ReadonlyMap<string, number> = new Map([["not", 50], ["!", 50], ["-", 90], ["+", 90]]);

/** The comparisons that chain: `1 < x < 3`. */
export const COMPARISONS: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

/** The operators that may follow `not`: `x not in y`. */
export const NEGATABLE: ReadonlySet<string> = new Set(["in", "matches", "contains", "startsWith", "endsWith"]);
