/** Prints calls in Python, for each of its two clients: a method describes a request, which the client makes. */
import { definitions } from "../Definitions.ts"
import type { Operation } from "../Operation.ts"
import { snakeCase } from "../Operations.ts"
import { isShared, nameOfRequest, verbOf } from "../requests/Nouns.ts"
import { type Expression, invoked, lines } from "./Layout.ts"
import { nameIn } from "./Printer.ts"
import { docOf } from "./Words.ts"

/** A client that blocks, or one of asyncio. */
export type Mode = "asyncio" | "blocking"

interface Argument {
  readonly name: string
  readonly type: string
  /** `**fields` are keyword arguments of a type; those with a default stand behind a star. */
  readonly form: "fields" | "keyword" | "positional"
}

const idsOf = ({ params }: Operation): ReadonlyArray<Argument> =>
  params.map((name, at) => ({
    name: at === 0 && !params.includes("id") ? "id" : name,
    type: "str | UUID",
    form: "positional"
  }))

const queryOf = ({ kind, query }: Operation): ReadonlyArray<Argument> => {
  if (query === null) return []
  if (query.type === null)
    return query.fields.map(({ name }) => ({ name, type: "float | None", form: "keyword" }))
  return [{ name: kind === "list" ? "filter" : "query", type: `Unpack[types.${query.type}]`, form: "fields" }]
}

/** The only field of a body, if that has no keywords of its own. */
const onlyOf = ({ body }: Operation): string | null =>
  body === null || body.only === null || !body.isRequired || body.only.form === "plain"
    ? null
    : body.only.name

const typeOfOnly = (item: string | null): string => {
  if (item === null) return "Any"
  return item === "string" ? "Sequence[str]" : `Sequence[types.${item}]`
}

const bodyOf = (operation: Operation): ReadonlyArray<Argument> => {
  const { body, kind } = operation
  if (body === null) return []
  const only = onlyOf(operation)
  if (only !== null) return [{ name: only, type: typeOfOnly(body.only?.item ?? null), form: "positional" }]
  const key: Argument = { name: "idempotency_key", type: "str | UUID | None", form: "keyword" }
  const fields: Argument = { name: "fields", type: `Unpack[types.${body.type}]`, form: "fields" }
  return kind === "once" ? [key, fields] : [fields]
}

const signatureOf = (operation: Operation, self: ReadonlyArray<string>): ReadonlyArray<string> => {
  const given = [...idsOf(operation), ...queryOf(operation), ...bodyOf(operation)]
  const inForm = (form: Argument["form"]) => given.filter((argument) => argument.form === form)
  const keywords = inForm("keyword").map(({ name, type }) => `${name}: ${type} = None`)
  return [
    ...self,
    ...inForm("positional").map(({ name, type }) => `${name}: ${type}`),
    ...(keywords.length > 0 ? ["*", ...keywords] : []),
    ...inForm("fields").map(({ name, type }) => `**${name}: ${type}`)
  ]
}

const pathOf = (operation: Operation): string => {
  const names = idsOf(operation).map(({ name }) => name)
  let at = 0
  const filled = operation.path.replaceAll(/\{\w+\}/g, () => `{part(${names[at++]})}`)
  return names.length === 0 ? `"${filled}"` : `f"${filled}"`
}

/** An answer is read as the first type whose fields are all there: those with more fields come first. */
const answerOf = ({ answers }: Operation): string =>
  answers
    .toSorted((one, other) => fieldsOf(other) - fieldsOf(one))
    .map((name) => `types.${name}`)
    .join(" | ") || "None"

const fieldsOf = (name: string): number => {
  const type = definitions.find((definition) => definition.name === name)?.representation
  return type?._tag === "Objects" ? type.propertySignatures.filter(({ isOptional }) => !isOptional).length : 0
}

const requestType = (operation: Operation): string => {
  const answer = answerOf(operation)
  if (operation.kind === "batch") return `Batch[${answer}]`
  return operation.kind === "list" ? `Request[Page[${answer}]]` : `Request[${answer}]`
}

/** What a name of asyncio is in a mode. */
export const inMode = (mode: Mode, name: string): string => (mode === "asyncio" ? `Async${name}` : name)

const answerType = (operation: Operation, mode: Mode): string => {
  const answer = answerOf(operation)
  if (operation.kind === "list") return `${inMode(mode, "Listing")}[${answer}]`
  return mode === "asyncio" ? `Coroutine[Any, Any, ${answer}]` : answer
}

const bodyValue = (operation: Operation): string => {
  const only = onlyOf(operation)
  if (operation.kind === "batch") return `{"${only}": some}`
  if (only !== null)
    return operation.body?.only?.form === "list" ? `{"${only}": [*${only}]}` : `{"${only}": ${only}}`
  const fixed = Object.entries(operation.fixedBody).map(([name, value]) => `"${name}": ${literal(value)}`)
  return fixed.length === 0 ? "fields" : `{**fields, ${fixed.join(", ")}}`
}

const literal = (value: boolean): string => (value ? "True" : "False")

/** The function that describes the request, and its arguments. */
const describing = (operation: Operation): readonly [name: string, ...args: ReadonlyArray<string>] => {
  const { body, hasWait, isRepeatable, kind, method, query } = operation
  const path = pathOf(operation)
  const answer = answerOf(operation)
  const sent = body === null ? [] : [bodyValue(operation)]
  if (kind === "stream") return ["Request", `"GET"`, path, "None"]
  if (kind === "list") return ["page_of", answer, path, "filter"]
  if (method === "GET" && hasWait)
    return query?.type === null
      ? ["waiting_get", answer, path, "wait=wait"]
      : ["waiting_get", answer, path, "query", `wait=query.get("wait")`]
  if (method === "GET") return ["get", answer, path, ...(query === null ? [] : ["query"])]
  if (method === "DELETE") return ["remove", path]
  if (method !== "POST") return [method.toLowerCase(), answer, path, ...sent]
  if (kind === "once") return ["post_once", answer, path, ...sent, "idempotency_key"]
  return [isRepeatable ? "idempotent_post" : "post", answer, path, ...sent]
}

const described = (operation: Operation): Expression => {
  const request = describing(operation)
  if (operation.kind === "batch") {
    const [name, ...args] = request
    return invoked("Batch", `with_keys(${onlyOf(operation)})`, invoked(`lambda some: ${name}`, ...args))
  }
  const fixed = Object.entries(operation.fixedQuery).map(([key, value]) => `"${key}": ${literal(value)}`)
  const plain = invoked(...request)
  return fixed.length === 0 ? plain : invoked("replace", plain, `query={${fixed.join(", ")}}`)
}

/** Whether a function has the request: where several calls make it, and where its type must be said, since it has two answers. */
export const isApart = (operation: Operation): boolean => isShared(operation) || operation.answers.length > 1

const requestName = (operation: Operation): string => snakeCase(nameOfRequest(operation))

/** That request with the arguments of the method. */
const passedOn = (operation: Operation): Expression => {
  const given = [...idsOf(operation), ...queryOf(operation), ...bodyOf(operation)]
  const args = given.map(({ form, name }) =>
    form === "fields" ? `**${name}` : form === "keyword" ? `${name}=${name}` : name
  )
  return invoked(`requests.${requestName(operation)}`, ...args)
}

export const methodOf = (operation: Operation, mode: Mode): string => {
  const request = isApart(operation) ? passedOn(operation) : described(operation)
  const name = `def ${nameIn(snakeCase(verbOf(operation.call)))}`
  const signature = invoked(name, ...signatureOf(operation, ["self"]))
  const made =
    operation.kind === "list"
      ? invoked(inMode(mode, "Listing"), "self._sender", request)
      : invoked("self._call", request)
  return [
    lines("", signature, ` -> ${answerType(operation, mode)}:`, "    "),
    docOf(operation, mode, "        "),
    lines("return ", made, "", "        ")
  ].join("")
}

/** The function of a request. */
export const requestText = (operation: Operation): string =>
  [
    lines(
      "def ",
      invoked(requestName(operation), ...signatureOf(operation, [])),
      ` -> ${requestType(operation)}:`,
      ""
    ),
    `    """${operation.summary}."""\n`,
    lines("return ", described(operation), "", "    ")
  ].join("")

/** The links that a call opens, below the API of any service. */
export const linkText = (operation: Operation): string => {
  const pattern = operation.path.replaceAll(/\{\w+\}/g, "[^/?#]+")
  return [
    `${requestName(operation).toUpperCase()}_LINK = re.compile(r"/api/v1/integrations(${pattern})$")\n`,
    `"""Its links, with their path below the API."""\n`
  ].join("")
}
