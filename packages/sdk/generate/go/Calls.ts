/** Prints the calls of the client as methods of Go, by noun, and as the table of them names them. */
import type { Operation } from "../Operation.ts"
import { standIn } from "./Alternatives.ts"
import { linesOf, literal } from "./Fields.ts"
import { commentOf, exported, nameInText, typeName } from "./Names.ts"

/** What is called about a noun, such as `webhooks.endpoints`; the client itself for "". */
const nounOf = ({ call }: Operation): string => call.split(".").slice(0, -1).join(".")

const lastOf = (name: string): string => exported(name.split(".").at(-1) ?? name)

/** The name of an id, such as `executionID`. */
const variable = (name: string): string => {
  const [first = "", ...others] = name.split("_")
  return first + others.map(exported).join("")
}

const parametersOf = ({ body, kind, params, query }: Operation): string =>
  [
    "ctx context.Context",
    ...(params.length > 0 ? [`${params.map(variable).join(", ")} string`] : []),
    ...(typeof query?.type === "string" ? [`query ${typeName(query.type)}`] : []),
    ...(body === null ? [] : [`fields ${typeName(body.type)}`]),
    ...(kind === "once" ? ["key ...IdempotencyKey"] : [])
  ].join(", ")

/** As the table of calls has it: ids by their names, all else by its type. */
export const inTable = (operation: Operation): string => {
  const { body, call, kind, params, query } = operation
  const given = [
    ...params.map(variable),
    ...(typeof query?.type === "string" ? [typeName(query.type)] : []),
    ...(body === null
      ? []
      : [kind === "batch" ? `[]${typeName(body.only?.item ?? "")}` : typeName(body.type)]),
    ...(kind === "once" ? ["key..."] : [])
  ]
  return `${call.split(".").map(exported).join(".")}(${given.join(", ")})`
}

type Value = readonly [name: string, value: string]

/** A query without a type of its own is left to calls that are written by hand. */
const queryOf = ({ fixedQuery, hasWait, query }: Operation): ReadonlyArray<Value> => {
  const fixed = Object.entries(fixedQuery).map(([name, value]) => `"${name}": {"${value}"}`)
  if (fixed.length > 0) return [["query", `url.Values{${fixed.join(", ")}}`]]
  if (typeof query?.type !== "string") return []
  return [["query", "query"], ...(hasWait ? [["wait", "seconds(query.Wait)"] as const] : [])]
}

const bodyOf = ({ body, fixedBody }: Operation): ReadonlyArray<Value> => {
  if (body === null) return []
  const fixed = Object.entries(fixedBody)
  if (fixed.length === 0) return [["body", "fields"]]
  const types = fixed.map(([name]) => `${exported(name)} bool \`json:"${name}"\``)
  const values = fixed.map(([, value]) => String(value))
  const type = [typeName(body.type), ...types].map((line) => `\t\t\t${line}\n`)
  return [["body", `struct {\n${type.join("")}\t\t}{${["fields", ...values].join(", ")}}`]]
}

const callOf = (operation: Operation): string => {
  const { isRepeatable, kind, method, params, path } = operation
  const call = literal("call", [
    ["method", `"${method}"`],
    ["path", `"${path.replaceAll(/\{\w+\}/g, "{}")}"`],
    ...(params.length > 0 ? [["ids", `[]string{${params.map(variable).join(", ")}}`] as const] : []),
    ...queryOf(operation),
    ...bodyOf(operation),
    ...(isRepeatable ? [["repeatable", "true"] as const] : [])
  ])
  return kind === "once" ? `once(${call}, key)` : call
}

/** A description as a sentence about a method, where it is about what the call does. */
const sentence = (name: string, text: string): string => {
  const [, verb, rest] = /^([A-Z][a-z]+s)( [^]*)$/.exec(nameInText(text)) ?? []
  return verb === undefined ? `${name}: ${nameInText(text)}` : `${name} ${verb.toLowerCase()}${rest}`
}

/** The methods of an operation. Those of batches and streams are written by hand. */
export const methodsOf = (operation: Operation): ReadonlyArray<string> => {
  const { answers, kind, query } = operation
  // A query that has no type is none of the method's.
  const isAbout = (part: string) => query === null || query.type !== null || !part.startsWith("With `wait`")
  const description = operation.description
    .split(/(?<=\.) (?=[A-Z])/)
    .filter(isAbout)
    .join(" ")
  if (kind === "batch" || kind === "stream") return []
  const noun = nounOf(operation)
  const type = noun === "" ? "Client" : lastOf(noun)
  const self = type.charAt(0).toLowerCase()
  const method = (suffix: string, result: string, text: string, value: string) => {
    const name = lastOf(operation.call) + suffix
    const head = `func (${self} *${type}) ${name}(${parametersOf(operation)}) ${result}`
    return `${commentOf(sentence(name, text))}${head} {\n\treturn ${value}\n}\n`
  }
  const [first] = answers
  const answer = typeName(standIn(first ?? ""))
  const call = (form: string) => `${form}(ctx, ${self}.caller, ${callOf(operation)})`
  if (kind === "list") {
    const onePage = "One page of List: the first, or that of the cursor."
    return [
      method("", `iter.Seq2[${answer}, error]`, description, call(`items[${answer}]`)),
      method("Page", `(*Page[${answer}], error)`, onePage, call(`answerTo[Page[${answer}]]`))
    ]
  }
  return first === undefined
    ? [method("", "error", description, `${self}.caller.send(ctx, ${callOf(operation)}, nil)`)]
    : [method("", `(*${answer}, error)`, description, call(`answerTo[${answer}]`))]
}

/** The client and its nouns, each with those below it. */
export const nounsOf = (operations: ReadonlyArray<Operation>): ReadonlyArray<string> => {
  const nouns = [...new Set(operations.flatMap((operation) => nounsIn(nounOf(operation))))]
  const below = (noun: string) => nouns.filter((each) => each !== "" && parentOf(each) === noun)
  return [...nouns].map((noun) => {
    const name = noun === "" ? "Client" : lastOf(noun)
    const says =
      noun === ""
        ? "A Client makes the calls of one key. It is safe for use by several goroutines at once."
        : `${name} has the calls about ${noun.split(".").toReversed().join(" of ")}.`
    const inner = below(noun).map((each) => lastOf(each))
    const fields = [
      ...inner.map((each) => ({ name: each, type: `*${each}` })),
      { name: "caller", type: "*caller" }
    ]
    const values = [...inner.map((each) => [each, `new${each}(c)`] as const), ["caller", "c"] as const]
    return [
      `${commentOf(says)}type ${name} struct {\n${linesOf(fields)}}\n`,
      `func new${name}(c *caller) *${name} {\n\treturn ${literal(`&${name}`, values)}\n}\n`
    ].join("\n")
  })
}

const nounsIn = (noun: string): ReadonlyArray<string> => [
  ...(noun === "" ? [] : nounsIn(parentOf(noun))),
  noun
]

const parentOf = (noun: string): string => noun.split(".").slice(0, -1).join(".")
