/** Lines of Python: calls and imports of which each stands in one line if it fits. */

export const widthMax = 100

/** A text, or a call of a function. */
export type Expression = string | Invocation

interface Invocation {
  readonly name: string
  readonly args: ReadonlyArray<Expression>
}

export const invoked = (name: string, ...args: ReadonlyArray<Expression>): Invocation => ({ name, args })

const inOneLine = (expression: Expression): string =>
  typeof expression === "string"
    ? expression
    : `${expression.name}(${expression.args.map(inOneLine).join(", ")})`

/** Between what stands before and after it. Arguments stand below each other where they do not fit. */
export const lines = (before: string, expression: Expression, after: string, indent: string): string => {
  const line = `${indent}${before}${inOneLine(expression)}${after}\n`
  if (line.length <= widthMax + 1 || typeof expression === "string") return line
  const { args, name } = expression
  const inner = `${indent}    `
  const short = `${inner}${args.map(inOneLine).join(", ")}`
  const body =
    short.length <= widthMax
      ? `${short}\n`
      : args.map((arg) => lines("", arg, args.length > 1 ? "," : "", inner)).join("")
  return `${indent}${before}${name}(\n${body}${indent})${after}\n`
}

/** An import of those names that the code uses; none if it uses none. */
export const importOf = (code: string, module: string, names: ReadonlyArray<string>): string => {
  const used = names.filter((name) => new RegExp(`(?<![\\w."])${name}\\b`).test(code)).toSorted()
  if (used.length === 0) return ""
  const line = `from ${module} import ${used.join(", ")}\n`
  return line.length <= widthMax ? line : `from ${module} import (\n    ${used.join(",\n    ")},\n)\n`
}
