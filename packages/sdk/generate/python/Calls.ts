/** Prints calls in Python: a method describes a request, which the client makes. */
import { definitions } from "../Definitions.ts"
import type { Operation } from "../Operation.ts"
import { snakeCase } from "../Operations.ts"
import { isShared, nameOfRequest, verbOf } from "../requests/Nouns.ts"
import { nameIn } from "./Printer.ts"
import { docOf } from "./Words.ts"

export const widthMax = 100

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

/** A call of a function, in one line if it fits. */
const inLines = (before: string, args: ReadonlyArray<string>, after: string, indent: string): string => {
  const line = `${indent}${before}(${args.join(", ")})${after}`
  if (line.length <= widthMax) return `${line}\n`
  const short = `${indent}    ${args.join(", ")}`
  const inner = short.length <= widthMax ? short : `${args.map((arg) => `${indent}    ${arg},`).join("\n")}`
  return `${indent}${before}(\n${inner}\n${indent})${after}\n`
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

const returnOf = (operation: Operation): string => {
  const answer = answerOf(operation)
  if (operation.kind === "batch") return `Batch[${answer}]`
  return operation.kind === "list" ? `Request[Page[${answer}]]` : `Request[${answer}]`
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
const describing = (operation: Operation): readonly [name: string, args: ReadonlyArray<string>] => {
  const { body, hasWait, isRepeatable, kind, method, query } = operation
  const path = pathOf(operation)
  const answer = answerOf(operation)
  const sent = body === null ? [] : [bodyValue(operation)]
  if (kind === "stream") return ["Request", [`"GET"`, path, "None"]]
  if (kind === "list") return ["page_of", [answer, path, "filter"]]
  if (method === "GET" && hasWait)
    return query?.type === null
      ? ["waiting_get", [answer, path, "wait=wait"]]
      : ["waiting_get", [answer, path, "query", `wait=query.get("wait")`]]
  if (method === "GET") return ["get", query === null ? [answer, path] : [answer, path, "query"]]
  if (method === "DELETE") return ["remove", [path]]
  if (method !== "POST") return [method.toLowerCase(), [answer, path, ...sent]]
  if (kind === "once") return ["post_once", [answer, path, ...sent, "idempotency_key"]]
  return [isRepeatable ? "idempotent_post" : "post", [answer, path, ...sent]]
}

const returned = (operation: Operation, indent: string): string => {
  const [name, args] = describing(operation)
  const fixed = Object.entries(operation.fixedQuery).map(([key, value]) => `"${key}": ${literal(value)}`)
  if (operation.kind === "batch") {
    const request = `lambda some: ${name}(${args.join(", ")})`
    return inLines("return Batch", [`with_keys(${onlyOf(operation)})`, request], "", indent)
  }
  if (fixed.length === 0) return inLines(`return ${name}`, args, "", indent)
  return inLines("return replace", [`${name}(${args.join(", ")})`, `query={${fixed.join(", ")}}`], "", indent)
}

export const methodOf = (operation: Operation): string =>
  [
    `    @${operation.kind === "list" ? "listing" : "call"}\n`,
    inLines(
      `def ${nameIn(snakeCase(verbOf(operation.call)))}`,
      signatureOf(operation, ["self"]),
      ` -> ${returnOf(operation)}:`,
      "    "
    ),
    docOf(operation, "        "),
    isShared(operation) ? passedOn(operation) : returned(operation, "        ")
  ].join("")

const requestName = (operation: Operation): string => snakeCase(nameOfRequest(operation))

/** The shared request with the arguments of the method. */
const passedOn = (operation: Operation): string => {
  const given = [...idsOf(operation), ...queryOf(operation), ...bodyOf(operation)]
  const args = given.map(({ form, name }) =>
    form === "fields" ? `**${name}` : form === "keyword" ? `${name}=${name}` : name
  )
  return inLines(`return ${requestName(operation)}`, args, "", "        ")
}

/** A request that several calls make. */
export const requestText = (operation: Operation): string =>
  [
    inLines(`def ${requestName(operation)}`, signatureOf(operation, []), ` -> ${returnOf(operation)}:`, ""),
    `    """${operation.summary}."""\n`,
    returned(operation, "    ")
  ].join("")

/** The links that a call opens, below the API of any service. */
export const linkText = (operation: Operation): string => {
  const pattern = operation.path.replaceAll(/\{\w+\}/g, "[^/?#]+")
  return [
    `${requestName(operation).toUpperCase()}_LINK = re.compile(r"/api/v1/integrations(${pattern})$")\n`,
    `"""Its links, with their path below the API."""\n`
  ].join("")
}
