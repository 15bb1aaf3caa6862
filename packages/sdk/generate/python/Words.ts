/** The words of a call in Python. */
import type { Operation } from "../Operation.ts"
import { errorName } from "../requests/ErrorNames.ts"
import { snakeCase } from "../Operations.ts"
import type { Mode } from "./Calls.ts"

const widthMax = 118

/** What the call does, by example, and when it fails. */
export const docOf = (
  { description, fails, kind, pythonExample }: Operation,
  mode: Mode,
  indent: string
): string => {
  const says = kind === "once" ? `${description} ${onceText}` : description
  const cases = Object.entries(fails).map(([code, when]) => `\`${errorName(code)}\` when ${when}`)
  const paragraphs = [
    wrapped(textInPython(says), indent),
    ...(pythonExample === null ? [] : [exampleIn(pythonExample, mode).map((line) => `${indent}    ${line}`)]),
    ...(cases.length === 0 ? [] : [wrapped(`Raises ${listed(cases)}.`, indent)])
  ]
  const [first = "", ...rest] = paragraphs
    .map((lines) => lines.join("\n"))
    .join(`\n\n`)
    .split("\n")
  const open = `${indent}"""${first.trimStart()}`
  if (rest.length === 0 && open.length + 3 <= widthMax) return `${open}"""\n`
  return `${[open, ...rest].join("\n")}\n${indent}"""\n`
}

/** Examples of the contract block. */
const exampleIn = (example: string, mode: Mode): ReadonlyArray<string> =>
  (mode === "blocking"
    ? example
    : example
        .replaceAll(/= (?=runhook\.)/g, "= await ")
        .replaceAll(/^for (?=\w+ in runhook\.)/gm, "async for ")
  ).split("\n")

const onceText =
  "Each call has an idempotency key of its own unless one is given, and sends it with every attempt, so a retry does nothing twice."

/** Names of calls and fields are in snake case. */
export const textInPython = (text: string): string =>
  text.replaceAll(/`([^`]*)`/g, (_, code: string) => `\`${snakeCase(code)}\``)

/** `one, two, and three` */
const listed = (items: ReadonlyArray<string>): string =>
  items.length < 3 ? items.join(" and ") : `${items.slice(0, -1).join(", ")}, and ${items.at(-1)}`

/** Lines of whole words and whole code. */
const wrapped = (text: string, indent: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const [word] of text.matchAll(/(?:`[^`]*`|[^\s`])+/g)) {
    const line = lines.at(-1)
    // The first line begins with quotes.
    const used = lines.length === 1 ? 3 : 0
    if (line === undefined || line.length + word.length + 1 + used > widthMax) lines.push(indent + word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}
