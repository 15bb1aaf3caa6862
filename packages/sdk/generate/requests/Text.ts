/** The words of a call in TypeScript. */
import { errorNames } from "./ErrorNames.ts"
import type { Operation } from "../Operation.ts"

const widthMax = 118

/** What the call does, when it fails, and an example. */
export const commentOf = (operation: Operation, indent: string): string => {
  const example =
    operation.example === null ? [] : ["", "@example", "```ts", ...operation.example.split("\n"), "```"]
  const width = widthMax - indent.length - 3
  const paragraphs = paragraphsOf(operation).flatMap((text, at) => [
    ...(at > 0 ? [""] : []),
    ...wrapped(text, width)
  ])
  const lines = [...paragraphs, ...example]
  return `${indent}/**\n${lines.map((line) => `${`${indent} * ${line}`.trimEnd()}\n`).join("")}${indent} */\n`
}

const paragraphsOf = ({ description, fails, kind }: Operation): ReadonlyArray<string> =>
  [kind === "once" ? `${description} ${onceText}` : description, failsText(fails)].filter(
    (text) => text !== ""
  )

/** What holds for every call under an idempotency key. */
const onceText =
  "Each call has an idempotency key of its own unless `idempotencyKey` is given, and sends it with every attempt, so a retry does nothing twice."

const failsText = (fails: Operation["fails"]): string => {
  const cases = Object.entries(fails).map(([code, when]) => `${errorNames(code)} when ${when}`)
  return cases.length === 0 ? "" : `Fails with ${listed(cases)}.`
}

/** `one, two, and three` */
const listed = (items: ReadonlyArray<string>): string =>
  items.length < 3 ? items.join(" and ") : `${items.slice(0, -1).join(", ")}, and ${items.at(-1)}`

/** Words stay whole, and so does code. */
const wrapped = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const [word] of text.matchAll(/(?:`[^`]*`|[^\s`])+/g)) {
    const line = lines.at(-1)
    if (line === undefined || `${line} ${word}`.length > width) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}
