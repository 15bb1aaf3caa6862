/** An OpenAPI document in the form of a page: operations by subject, with their requests and answers. */
import { type Part, partOf } from "@runhook/contract/openapi/Document"
import { type Example, examplesOf } from "./Example.ts"
import {
  alternatives,
  type Field,
  fieldsOf,
  listOf,
  type Resolve,
  resolverOf,
  textOf,
  typeOf
} from "./Schema.ts"

export interface Parameter {
  readonly name: string
  readonly place: string
  readonly field: Field
  readonly example: unknown
}

/** One of the forms that a body may have. */
export interface Shape {
  readonly type: string
  readonly description: string | undefined
  readonly fields: ReadonlyArray<Field>
}

export interface Body {
  readonly contentType: string
  readonly isRequired: boolean
  readonly shapes: ReadonlyArray<Shape>
  readonly examples: ReadonlyArray<Example>
}

export interface Answer {
  readonly status: string
  readonly description: string
  readonly headers: ReadonlyArray<string>
  readonly body: Body | undefined
}

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string | undefined
  /** Whether it is called with a key. */
  readonly needsKey: boolean
  readonly isDeprecated: boolean
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: Body | undefined
  readonly answers: ReadonlyArray<Answer>
}

export interface Subject {
  readonly name: string
  /** The name as words: `Runner keys`. */
  readonly title: string
  readonly description: string | undefined
  readonly operations: ReadonlyArray<Operation>
}

export interface Reference {
  readonly title: string
  readonly version: string
  readonly description: string | undefined
  readonly subjects: ReadonlyArray<Subject>
  /** What the service sends by itself. */
  readonly webhooks: ReadonlyArray<Operation>
}

export const referenceOf = (document: Part): Reference => {
  const resolve = resolverOf(document)
  const info = partOf(document["info"])
  const paths = operationsIn(partOf(document["paths"]), document, resolve)
  const tags = listOf(document["tags"]).map(partOf)
  const named = new Set(tags.map(({ name }) => String(name)))
  const untagged = paths.filter(({ tag }) => !named.has(tag)).map(({ operation }) => operation)
  const subjects = tags.map((tag) => ({
    name: String(tag["name"]),
    title: wordsOf(String(tag["name"])),
    description: textOf(tag["description"]),
    operations: paths.filter((each) => each.tag === tag["name"]).map(({ operation }) => operation)
  }))
  const others = { name: "others", title: "Others", description: undefined, operations: untagged }
  return {
    title: textOf(info["title"]) ?? "API",
    version: textOf(info["version"]) ?? "",
    description: textOf(info["description"]),
    subjects: [...subjects, others].filter(({ operations }) => operations.length > 0),
    webhooks: operationsIn(partOf(document["webhooks"]), document, resolve).map(({ operation }) => operation)
  }
}

const wordsOf = (name: string): string => {
  const words = name.replaceAll(/([a-z])([A-Z])|[-_]/g, "$1 $2").toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const methods = ["get", "post", "put", "patch", "delete"]

const operationsIn = (paths: Part, document: Part, resolve: Resolve) =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const given = partOf(item)[method]
      return given === undefined
        ? []
        : [
            {
              tag: String(listOf(partOf(given)["tags"])[0]),
              operation: operationOf({ method, path, given: partOf(given), document, resolve })
            }
          ]
    })
  )

const operationOf = (options: {
  readonly method: string
  readonly path: string
  readonly given: Part
  readonly document: Part
  readonly resolve: Resolve
}): Operation => {
  const { document, given, method, path, resolve } = options
  const body = given["requestBody"]
  return {
    id: textOf(given["operationId"]) ?? `${method}-${path}`,
    method: method.toUpperCase(),
    path,
    summary: textOf(given["summary"]) ?? `${method.toUpperCase()} ${path}`,
    description: textOf(given["description"]),
    needsKey: listOf(given["security"] ?? document["security"]).length > 0,
    isDeprecated: given["deprecated"] === true,
    parameters: listOf(given["parameters"]).map((each) => parameterOf(resolve(partOf(each)), resolve)),
    body: body === undefined ? undefined : bodyOf(resolve(partOf(body)), resolve, "required"),
    answers: Object.entries(partOf(given["responses"])).map(([status, answer]) =>
      answerOf(status, resolve(partOf(answer)), resolve)
    )
  }
}

const parameterOf = (given: Part, resolve: Resolve): Parameter => {
  const name = String(given["name"])
  const schema = partOf(given["schema"])
  const described = { description: given["description"], ...schema }
  const [field] = fieldsOf({ type: "object", properties: { [name]: described } }, resolve)
  const [example] = examplesOf(given, resolve, { complete: "required" })
  return {
    name,
    place: String(given["in"]),
    field: {
      ...(field ?? { name, type: typeOf(schema, resolve), description: undefined, rules: [] }),
      isRequired: given["required"] === true
    },
    example: example?.value
  }
}

const bodyOf = (given: Part, resolve: Resolve, complete: "all" | "required"): Body | undefined => {
  const [media] = Object.entries(partOf(given["content"]))
  if (media === undefined) return undefined
  const [contentType, value] = media
  const content = partOf(value)
  return {
    contentType,
    isRequired: given["required"] === true,
    shapes: alternatives(partOf(content["schema"]), resolve).map((shape) => ({
      type: typeOf(shape, resolve),
      description: textOf(shape["description"]),
      fields: fieldsOf(shape, resolve)
    })),
    examples: /json/.test(contentType) ? examplesOf(content, resolve, { complete }) : []
  }
}

const answerOf = (status: string, given: Part, resolve: Resolve): Answer => ({
  status,
  description: textOf(given["description"]) ?? "",
  headers: Object.keys(partOf(given["headers"])),
  body: bodyOf(given, resolve, "all")
})
