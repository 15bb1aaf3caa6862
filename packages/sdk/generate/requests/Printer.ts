/** Prints calls in TypeScript: a function for each shared request, an object of calls for each noun. */
import type { Operation } from "../Operation.ts"
import { isShared, nameOfNoun, nameOfRequest, type Noun, verbOf } from "./Nouns.ts"
import { commentOf } from "./Text.ts"

/** Types of requests and answers that name a task, whose params and result they then have. */
const ofTask: Readonly<Record<string, "OfTask" | "WithParams">> = {
  AdminCreateExecution: "WithParams",
  AdminExecutionDetail: "OfTask",
  CreateExecution: "WithParams",
  ExecutionDetail: "OfTask"
}

/** Queries whose `wait` is an option of the call. */
const isWaitAlone = ({ query }: Operation): boolean =>
  query !== null && query.type === null && query.fields.every(({ name }) => name === "wait")

interface Argument {
  readonly name: string
  readonly text: string
}

const typeFor = (type: string): string => (type in ofTask ? `${ofTask[type]}<${type}, Slug>` : type)

const idsOf = ({ params }: Operation): ReadonlyArray<Argument> => {
  if (params.length === 0) return []
  if (params.length === 1) return [{ name: "id", text: "id: string" }]
  const fields = params.map((name) => `readonly ${name}: string`)
  return [{ name: `{ ${params.join(", ")} }`, text: `{ ${params.join(", ")} }: { ${fields.join("; ")} }` }]
}

const queryOf = (operation: Operation): ReadonlyArray<Argument> => {
  const { hasWait, kind, query } = operation
  if (query === null) return []
  if (query.type === null) {
    const required = query.fields.filter(({ isRequired }) => isRequired)
    if (required.length > 0) return required.map(({ name, type }) => ({ name, text: `${name}: ${type}` }))
    const fields = query.fields.map(({ name, type }) => `readonly ${name}?: ${type} | undefined`)
    return [{ name: "query", text: `query: { ${fields.join("; ")} } = {}` }]
  }
  const name = kind === "list" ? "filter" : "query"
  return [{ name, text: hasWait ? `${name}: ${query.type} = {}` : `${name}?: ${query.type}` }]
}

const bodyOf = (operation: Operation, typeOf: (type: string) => string): ReadonlyArray<Argument> => {
  const { body } = operation
  if (body === null) return []
  const { isRequired, only, type } = body
  if (only?.form === "list") return [{ name: only.name, text: `${only.name}: ReadonlyArray<${only.item}>` }]
  return [{ name: "body", text: `body${isRequired ? "" : "?"}: ${typeOf(type)}` }]
}

/** The path, or an expression that fills its ids in. */
const pathOf = ({ params, path }: Operation): string =>
  params.length === 0 ? `"${path}"` : `pathOf\`${path.replaceAll("{", "${")}\``

/** The value of the body, with what the call itself sets. */
const bodyValue = ({ body, fixedBody, kind }: Operation): string => {
  if (kind === "batch") return `{ ${body?.only?.name}: keyed }`
  const fixed = Object.entries(fixedBody).map(([name, value]) => `${name}: ${value}`)
  if (body?.only?.form === "list") return `{ ${body.only.name} }`
  if (fixed.length > 0) return `{ ...body, ${fixed.join(", ")} }`
  return body === null ? "undefined" : "body"
}

const queryValue = (operation: Operation): string | null => {
  const fixed = Object.entries(operation.fixedQuery).map(([name, value]) => `${name}: ${value}`)
  if (fixed.length > 0) return `{ ${fixed.join(", ")} }`
  const [argument] = queryOf(operation)
  if (argument === undefined) return null
  return operation.query?.type === null && argument.name !== "query" ? `{ ${argument.name} }` : argument.name
}

/** The request as an expression over the call's arguments. */
const requestOf = (operation: Operation): string => {
  const { accept, hasWait, isRepeatable, kind, method } = operation
  const path = pathOf(operation)
  const query = queryValue(operation)
  const plain = (): string => {
    if (kind === "list") return `list(${path}, filter, options)`
    if (method === "GET" && hasWait) return `waitingGet(${path}, options, ${query})`
    if (method === "GET") return query === null ? `get(${path}, options)` : `get(${path}, options, ${query})`
    if (method === "DELETE") return `remove(${path}, options)`
    if (method !== "POST") return `${method.toLowerCase()}(${path}, ${bodyValue(operation)}, options)`
    const name = kind === "once" ? "postOnce" : isRepeatable ? "idempotentPost" : "post"
    return `${name}(${path}, ${bodyValue(operation)}, options)`
  }
  const extra = [
    ...(method !== "GET" && query !== null ? [query === "query" ? query : `query: ${query}`] : []),
    ...(accept === null ? [] : [`accept: "${accept}"`])
  ]
  return extra.length === 0 ? plain() : `{ ...${plain()}, ${extra.join(", ")} }`
}

const answerOf = ({ answers }: Operation, typeOf: (type: string) => string): string =>
  answers.map(typeOf).join(" | ")

/** A request that several calls send. Callers of a runner, and those that name a task, hold its body to their own types. */
export const requestText = (operation: Operation): string => {
  const { answers, client, kind, summary } = operation
  const options = kind === "once" ? "Options extends CreateFields" : "Options"
  const bodyType = (type: string) => (client === "runner" || ofTask[type] === "WithParams" ? "object" : type)
  const args = [...idsOf(operation), ...queryOf(operation), ...bodyOf(operation, bodyType)].map(
    ({ text }) => text
  )
  const [answer, generic] =
    answers.length === 0 ? ["unknown", ""] : ["A", `, A = ${answerOf(operation, (type) => type)}`]
  return `/** ${summary}. */
export const ${nameOfRequest(operation)} = <${options}${generic}>(${[...args, "options?: Options"].join(", ")}): Request<${answer}, Options> =>
  ${requestOf(operation)}
`
}

const callText = (operation: Operation): string => {
  const { accept, answers, body, call, kind } = operation
  const isTyped = [...answers, body?.type ?? ""].some((type) => type in ofTask) && kind !== "list"
  const own = isWaitAlone(operation) ? "GetFields & " : kind === "once" ? "CreateFields & " : ""
  const query = isWaitAlone(operation) ? [] : queryOf(operation)
  const given = [...idsOf(operation), ...query, ...bodyOf(operation, typeFor)]
  const generic = isTyped ? "<Slug extends TaskSlug = never>" : ""
  const args = [...given.map(({ text }) => text), `options?: ${own}T["options"]`].join(", ")
  const request = isShared(operation) ? sharedRequest(operation, given) : requestOf(operation)
  const answer = answerOf(operation, isTyped ? typeFor : (type) => type)
  const sent = (): string => {
    if (kind === "batch") return batchOf(operation, request)
    if (kind === "stream") return `client.file(${request})`
    if (kind === "list") return `client.list<${answer}>(${request})`
    if (accept !== null) return `client.text(${request})`
    return answers.length === 0 ? `client.nothing(${request})` : `client.call<${answer}>(${request})`
  }
  return `${commentOf(operation, "  ")}  ${verbOf(call)}: ${generic}(${args}) =>\n    ${sent()}`
}

const sharedRequest = (operation: Operation, given: ReadonlyArray<Argument>): string => {
  const names = given.map(({ name }) => name)
  const query = isWaitAlone(operation) ? ["{ wait: options?.wait }"] : []
  return `${nameOfRequest(operation)}(${[...names, ...query, "options"].join(", ")})`
}

/** Each item has a key, and those refused for now are sent again. */
const batchOf = ({ body }: Operation, request: string): string => {
  const name = body?.only?.name ?? ""
  return `client.batch({ items: withKeys(${name}), requestOf: (keyed) => ${request} })`
}

/** The links that a call opens, below the API of any service. */
export const linkText = (operation: Operation): string => {
  const pattern = operation.path.replaceAll(/\{\w+\}/g, "[^/?#]+").replaceAll(/\/(?!\?)/g, "\\/")
  return `/** Its links, with their path below the API. */
export const ${nameOfRequest(operation)}Link = /\\/api\\/v1\\/integrations(${pattern})$/
`
}

/** The calls of a noun over a client of either kind. */
export const nounText = ({ operations, path }: Noun, client: string): string =>
  `export const ${path === "" ? "calls" : nameOfNoun(path)} = <T extends ClientTypes>(client: ${client}<T>) => ({
${operations.map(callText).join(",\n\n")}
})
`
