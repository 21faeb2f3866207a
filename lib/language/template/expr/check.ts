/**
 * The type checker. Reports errors that are known before an expression runs: unknown names, operators on types that
 * never fit, wrong arguments. The types of map values are unknown here and are checked at run time.
 */
import { countText } from "@tiphys/base/count_text";
import { ANY, ANY_MAP, ANY_SLICE, BOOL, type GoType, INT, typeOf, UNKNOWN, type Value } from "@tiphys/base/go";
import { BUILTINS } from "./builtins/mod.ts";
import { PREDICATES } from "./builtins/predicates.ts";
import { nearestName } from "@tiphys/base/nearest_name";
import { ExpressionError } from "./error.ts";
import { RunFailure } from "./failure.ts";
import { methodNames, methodType } from "./methods.ts";
import { compileRegex } from "./regex.ts";
import { type Binary, type Builtin, type Call, constantText, type Member, type Node } from "./tree.ts";
import {
  canAssign,
  comparable,
  conversionHint,
  elementType,
  goKind,
  isFloat,
  isInteger,
  isList,
  isNumber,
  isUnknown,
  listOf,
  operatorType,
  predicateResult,
  TESTS,
} from "./type_rules.ts";

/** Maximum number of characters of a path in which a hyphen is searched. */
const MAX_PATH_LENGTH = 500;

/** The types of the names in an environment. Using a name that is not in the map is an error. */
export type EnvTypes = ReadonlyMap<string, GoType>;

/** Returns the types of an environment's values. */
export function typesOf(env: Readonly<Record<string, unknown>>): EnvTypes {
  return new Map(Object.entries(env).map(([name, value]) => [name, typeOf(value as Value)]));
}

/**
 * Sets the type of every node.
 * @throws {ExpressionError} for the first node that can never work. `"any"` allows every name.
 */
export function check(tree: Node, source: string, types: EnvTypes | "any"): GoType {
  return new Checker(source, types).visit(tree);
}

interface Variable {
  readonly name: string;
  readonly type: GoType;
}

interface PredicateList {
  readonly list: GoType;
  readonly variables: readonly Variable[];
}

class Checker {
  private readonly scopes: PredicateList[] = [];
  private readonly variables: Variable[] = [];

  constructor(private readonly source: string, private readonly types: EnvTypes | "any") {}

  visit(node: Node): GoType {
    node.type = this.typeOf(node);
    return node.type;
  }

  private error(node: Node, reason: string, hint?: string): never {
    throw new ExpressionError(reason, { source: this.source, offset: node.at, phase: "compile", hint });
  }

  private typeOf(node: Node): GoType {
    switch (node.kind) {
      case "constant":
        return typeOf(node.value);
      case "identifier":
        return this.identifier(node.name, node);
      case "unary":
        return this.unary(node.operator, node.operand, node);
      case "binary":
        return this.binary(node);
      case "member":
        return this.member(node);
      case "chain":
        return this.visit(node.body);
      case "slice":
        return this.slice(node.base, [node.from, node.to], node);
      case "call":
        return this.call(node);
      case "builtin":
        return PREDICATES.has(node.name) ? this.predicateCall(node) : this.builtin(node);
      case "predicate":
        return this.visit(node.body);
      case "pointer":
        return this.pointer(node.name, node);
      case "let":
        return this.declaration(node.name, node.value, node.body, node);
      case "sequence":
        return node.nodes.map((node) => this.visit(node)).at(-1)!;
      case "conditional":
        return this.conditional(node.condition, node.then, node.otherwise);
      case "list":
        return this.list(node.items);
      case "map":
        for (const { key, value } of node.pairs) {
          this.visit(key);
          this.visit(value);
        }
        return ANY_MAP;
    }
  }

  // Names

  private identifier(name: string, node: Node): GoType {
    const variable = this.variables.findLast((variable) => variable.name === name);
    if (variable !== undefined) return variable.type;
    return name === "$env" ? UNKNOWN : this.environment(name, node, { strict: true, builtins: true });
  }

  private environment(name: string, node: Node, options: { strict: boolean; builtins: boolean }): GoType {
    if (this.types === "any") return UNKNOWN;
    const known = this.types.get(name);
    if (known !== undefined) return known;
    const builtin = options.builtins ? BUILTINS.get(name) : undefined;
    if (builtin !== undefined) {
      return builtin.overloads?.[0] ?? { kind: "func", text: `func(...interface {}) interface {}` };
    }
    if (options.builtins && PREDICATES.has(name)) {
      return { kind: "func", text: "func([]interface {}, func(interface {}) bool)" };
    }
    if (!options.strict) return UNKNOWN;
    return this.error(node, `unknown name ${name}`, this.nameHint(name, node));
  }

  /** Returns the hint for an unknown name, which may be the end of a name with a hyphen, or a typing error. */
  private nameHint(name: string, node: Node): string | undefined {
    const before = this.source.slice(Math.max(0, node.at - MAX_PATH_LENGTH), node.at);
    // deno-lint-ignore tiphys/linear-regexp -- the text has at most MAX_PATH_LENGTH characters
    const hyphenated = /([\p{L}_$][\p{L}\p{Nd}_$.]*)\.([\p{L}\p{Nd}_$-]+)-$/u.exec(before);
    if (hyphenated !== null) {
      return `a hyphen subtracts: for a name that has one write ${hyphenated[1]}["${hyphenated[2]}-${name}"]`;
    }
    const known = this.types === "any" ? [] : this.types.keys();
    const nearest = nearestName(name, [...known, ...BUILTINS.keys(), ...PREDICATES.keys()]);
    return nearest === undefined ? undefined : `did you mean ${nearest}?`;
  }

  private declaration(name: string, value: Node, body: Node, node: Node): GoType {
    if (this.types !== "any" && this.types.has(name)) this.error(node, `cannot redeclare ${name}`);
    if (BUILTINS.has(name) || PREDICATES.has(name)) this.error(node, `cannot redeclare builtin ${name}`);
    if (this.variables.some((variable) => variable.name === name)) {
      this.error(node, `cannot redeclare variable ${name}`);
    }
    this.variables.push({ name, type: this.visit(value) });
    const type = this.visit(body);
    this.variables.pop();
    return type;
  }

  private pointer(name: string, node: Node): GoType {
    const scope = this.scopes.at(-1);
    if (scope === undefined) return this.error(node, "cannot use pointer accessor outside predicate");
    if (name === "") return isUnknown(scope.list) ? UNKNOWN : elementType(scope.list);
    const variable = scope.variables.find((variable) => variable.name === name);
    return variable?.type ??
      this.error(node, `unknown pointer #${name}`, "#index stands in map and reduce, #acc in reduce");
  }

  // Operators

  private unary(operator: string, operand: Node, node: Node): GoType {
    const type = this.visit(operand);
    if (operator === "!" || operator === "not") {
      if (type.kind === "bool" || isUnknown(type)) return BOOL;
    } else {
      if (isNumber(type)) return type;
      if (isUnknown(type)) return UNKNOWN;
    }
    return this.error(node, `invalid operation: ${operator} (mismatched type ${type.text})`);
  }

  /** Checks a chain such as `a + b + c` iteratively, because it may be long. Chains lean left. */
  private binary(node: Binary): GoType {
    const spine: Binary[] = [];
    let leftmost: Node = node;
    while (leftmost.kind === "binary") {
      spine.push(leftmost);
      leftmost = leftmost.left;
    }
    let left = this.visit(leftmost);
    for (const binary of spine.reverse()) {
      left = binary.type = this.operator(binary, left, this.visit(binary.right));
    }
    return left;
  }

  private operator(node: Binary, left: GoType, right: GoType): GoType {
    const result = operatorType(node.operator, left, right);
    if (node.operator === "in") return this.membership(node, left, right);
    if (node.operator === "matches") this.pattern(node);
    if (result !== undefined) return result;
    return this.error(
      node,
      `invalid operation: ${node.operator} (mismatched types ${left.text} and ${right.text})`,
      conversionHint(left, right),
    );
  }

  private membership(node: Binary, left: GoType, right: GoType): GoType {
    if ((right.kind === "struct" || right.kind === "ptr") && (left.kind === "string" || isUnknown(left))) return BOOL;
    if (right.kind === "map") {
      if (isUnknown(left) || canAssign(left, right.key!)) return BOOL;
      return this.error(node, `cannot use ${left.text} as type ${right.key!.text} in map key`);
    }
    if (isList(right)) {
      const element = elementType(right);
      if (comparable(left, element)) return BOOL;
      return this.error(node, `cannot use ${left.text} as type ${element.text} in array`);
    }
    if (isUnknown(right) || (isUnknown(left) && right.kind === "string")) return BOOL;
    return this.error(node, `invalid operation: in (mismatched types ${left.text} and ${right.text})`);
  }

  private pattern(node: Binary): void {
    const pattern = constantText(node.right);
    if (pattern === undefined) return;
    try {
      compileRegex(pattern);
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      this.error(node, error.message);
    }
  }

  private conditional(condition: Node, then: Node, otherwise: Node): GoType {
    const type = this.visit(condition);
    if (type.kind !== "bool" && !isUnknown(type)) {
      this.error(condition, `non-bool expression (type ${type.text}) used as condition`);
    }
    const [a, b] = [this.visit(then), this.visit(otherwise)];
    if (a.kind === "nil") return b;
    if (b.kind === "nil") return a;
    if (!canAssign(a, b)) return UNKNOWN;
    if (isList(a) && isList(b)) {
      const [x, y] = [elementType(a), elementType(b)];
      if (!canAssign(x, y) || !canAssign(y, x)) return ANY_SLICE;
    }
    return a;
  }

  private list(items: readonly Node[]): GoType {
    const types = items.map((item) => this.visit(item));
    const last = types.at(-1) ?? UNKNOWN;
    return types.every((type) => goKind(type) === goKind(last)) ? listOf(last) : ANY_SLICE;
  }

  // Members

  private member(node: Member): GoType {
    const name = constantText(node.property);
    if (node.base.kind === "identifier" && node.base.name === "$env") {
      if (name === undefined) return UNKNOWN;
      return this.environment(name, node, { strict: !node.optional, builtins: false });
    }
    const base = this.visit(node.base);
    const property = this.visit(node.property);
    if (isUnknown(base)) return UNKNOWN;
    if (name !== undefined) {
      if (base.kind === "nil") this.error(node, `type nil has no field ${name}`);
      const method = methodType(base, name);
      if (method !== undefined) return method;
    }
    if (base.kind === "map") {
      if (!canAssign(property, base.key!) && !isUnknown(property)) {
        this.error(node.property, `cannot use ${property.text} to get an element from ${base.text}`);
      }
      return (name === undefined ? undefined : base.fields?.get(name)) ?? elementType(base);
    }
    if (isList(base)) {
      if (!isInteger(property) && !isUnknown(property)) {
        this.error(node.property, `array elements can only be selected using an integer (got ${property.text})`);
      }
      return elementType(base);
    }
    if (name === undefined) return this.error(node, `type ${base.text}[${property.text}] is undefined`);
    const field = base.fields?.get(name);
    if (field !== undefined) return field;
    const nearest = nearestName(name, [...base.fields?.keys() ?? [], ...methodNames(base)]);
    const hint = nearest === undefined ? undefined : `did you mean ${nearest}?`;
    return this.error(node, `type ${base.text} has no ${node.isCalled ? "method" : "field"} ${name}`, hint);
  }

  private slice(base: Node, bounds: readonly (Node | undefined)[], node: Node): GoType {
    const type = this.visit(base);
    if (isUnknown(type)) {
      for (const bound of bounds) if (bound !== undefined) this.visitWithoutErrors(bound);
      return UNKNOWN;
    }
    if (type.kind !== "string" && !isList(type)) this.error(node, `cannot slice ${type.text}`);
    for (const bound of bounds) {
      if (bound === undefined) continue;
      const index = this.visit(bound);
      if (!isInteger(index) && !isUnknown(index)) this.error(bound, `non-integer slice index ${index.text}`);
    }
    return type;
  }

  /** Sets types without reporting errors. Go does not check an operand next to one whose type is unknown. */
  private visitWithoutErrors(node: Node): void {
    const [scopes, variables] = [this.scopes.length, this.variables.length];
    try {
      this.visit(node);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.scopes.length = scopes;
      this.variables.length = variables;
    }
  }

  // Calls

  private call(node: Call): GoType {
    if (node.callee.kind === "identifier" && node.callee.name === "$env") {
      this.error(node, "map[string]interface {} is not callable");
    }
    const type = this.visit(node.callee);
    if (isUnknown(type)) return this.uncheckedCall(node);
    const name = node.callee.kind === "identifier"
      ? node.callee.name
      : constantText(node.callee.property) ?? "function";
    if (type.kind === "nil") this.error(node, `${name} is nil; cannot call nil as function`);
    if (type.func === undefined) this.error(node, `${type.text} is not callable`);
    if (type.func.results > 2) this.error(node, `func ${name} returns more then two values`);
    for (const arg of node.args) this.visit(arg);
    return this.arguments(name, type, node.args, node);
  }

  /** Arguments of an unknown function are not checked, but the nodes in them need types. */
  private uncheckedCall(node: Call): GoType {
    for (const arg of node.args) this.visitWithoutErrors(arg);
    return UNKNOWN;
  }

  private builtin(node: Builtin): GoType {
    if (node.name === "get") return this.get(node);
    const builtin = BUILTINS.get(node.name)!;
    if (builtin.validate !== undefined) {
      const types = node.args.map((arg) => this.visit(arg)).map((type) => (isUnknown(type) ? ANY : type));
      try {
        // A builtin's result is known only by its Go type.
        return { ...builtin.validate(types), refined: undefined };
      } catch (error) {
        if (!(error instanceof RunFailure)) throw error;
        return this.error(node, error.message);
      }
    }
    for (const arg of node.args) this.visit(arg);
    let last: unknown;
    for (const overload of builtin.overloads!) {
      try {
        return this.arguments(node.name, overload, node.args, node);
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        last = error;
      }
    }
    throw last;
  }

  private arguments(name: string, type: GoType, args: readonly Node[], node: Node): GoType {
    const { params, variadic, result } = type.func!;
    const min = variadic ? params.length - 1 : params.length;
    const count = (expected: string) => `${name} takes ${expected}${countText(params.length, "argument")}`;
    if (args.length < min) this.error(node, `not enough arguments to call ${name}`, count(""));
    if (!variadic && args.length > params.length) this.error(node, `too many arguments to call ${name}`, count(""));
    const last = params.at(-1) ?? UNKNOWN;
    for (const [i, arg] of args.entries()) {
      const given = arg.type;
      const wanted = params[i] ?? last;
      if (isInteger(given) && (isInteger(wanted) || isFloat(wanted))) continue;
      if (given.kind === "nil") {
        if (wanted.kind === "ptr" || wanted.kind === "interface") continue;
        this.error(arg, `cannot use nil as argument (type ${wanted.text}) to call ${name}`);
      }
      if (!canAssign(given, wanted) && !isUnknown(given)) {
        this.error(
          arg,
          `cannot use ${given.text} as argument (type ${wanted.text}) to call ${name} `,
          conversionHint(given, wanted),
        );
      }
    }
    return isUnknown(result) ? UNKNOWN : result;
  }

  private get(node: Builtin): GoType {
    const [base, key] = node.args;
    if (base === undefined || key === undefined || node.args.length !== 2) {
      return this.error(node, `invalid number of arguments (expected 2, got ${node.args.length})`);
    }
    const [type, property] = [this.visit(base), this.visit(key)];
    if (isUnknown(type)) return UNKNOWN;
    if (isList(type)) {
      if (isInteger(property) || isUnknown(property)) return elementType(type);
      this.error(key, `non-integer slice index ${property.text}`);
    }
    if (type.kind === "map") {
      if (canAssign(property, type.key!) || isUnknown(property)) return elementType(type);
      this.error(key, `cannot use ${property.text} to get an element from ${type.text}`);
    }
    return this.error(base, `type ${type.text} does not support indexing`);
  }

  private predicateCall(node: Builtin): GoType {
    const [collection, predicate, extra] = node.args;
    if (collection === undefined) return this.error(node, `not enough arguments to call ${node.name}`);
    const list = this.visit(collection);
    if (!isList(list) && !isUnknown(list)) {
      this.error(collection, `builtin ${node.name} takes only array (got ${list.text})`);
    }
    if (predicate === undefined) return node.name === "count" ? INT : isUnknown(list) ? UNKNOWN : elementType(list);
    const indexed = node.name === "map" || node.name === "reduce";
    const variables = indexed ? [{ name: "index", type: INT }] : [];
    if (node.name === "reduce") variables.push({ name: "acc", type: UNKNOWN });
    this.scopes.push({ list, variables });
    const result = this.visit(predicate);
    this.scopes.pop();
    if (result.kind === "nil") this.error(predicate, "predicate should has one input and one output param");
    if (extra !== undefined) this.extraArgument(node, extra);
    if (TESTS.has(node.name) && result.kind !== "bool" && !isUnknown(result)) {
      this.error(predicate, `predicate should return boolean (got ${result.text})`);
    }
    return predicateResult(node.name, list, result);
  }

  private extraArgument(node: Builtin, extra: Node): void {
    const type = this.visit(extra);
    if (node.name === "sortBy" && type.kind !== "string" && !isUnknown(type)) {
      this.error(extra, `sortBy order argument must be a string (got ${type.text})`);
    }
  }
}
