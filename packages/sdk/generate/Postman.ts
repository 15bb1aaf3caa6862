/** The integration API as a collection of Postman: a folder for each noun, a request for each endpoint. */
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { type Part, partOf } from "@runhook/contract/openapi/Document"
import * as OpenApi from "effect/http-api/OpenApi"
import type { Operation } from "./Operation.ts"
import { operations } from "./Operations.ts"

const root = "/api/v1/integrations"
const { info, paths } = OpenApi.fromApi(IntegrationApi)

/** What the document of the API says of an endpoint. */
const documented = ({ method, path }: Operation): Part => {
  const likeThis = path.replaceAll(/\{\w+\}/g, "{}")
  const [, methods] =
    Object.entries(paths).find(([each]) => each.replaceAll(/\{\w+\}/g, "{}") === root + likeThis) ?? []
  return partOf(partOf(methods)[method.toLowerCase()])
}

const bodyOf = (operation: Operation) => {
  const content = partOf(partOf(documented(operation)["requestBody"])["content"])
  const { example } = partOf(content["application/json"])
  if (example === undefined) return {}
  return {
    body: {
      mode: "raw",
      raw: JSON.stringify(example, null, 2),
      options: { raw: { language: "json" } }
    }
  }
}

const requestOf = (operation: Operation) => {
  const { kind, method, params, path, summary } = operation
  const steps = (root + path.replaceAll(/\{(\w+)\}/g, ":$1")).split("/").slice(1)
  const query = operation.query?.fields.map(({ description, name }) => ({
    key: name,
    value: "",
    description,
    disabled: true
  }))
  const { description: about } = documented(operation)
  return {
    name: summary,
    request: {
      method,
      header: kind === "once" ? [{ key: "Idempotency-Key", value: "{{$guid}}" }] : [],
      url: {
        raw: `{{base_url}}/${steps.join("/")}`,
        host: ["{{base_url}}"],
        path: steps,
        query: query ?? [],
        variable: params.map((key) => ({ key, value: "" }))
      },
      ...bodyOf(operation),
      description: about
    }
  }
}

/** The first call of each endpoint. */
const endpoints = operations
  .filter(({ client }) => client === "runhook")
  .filter(
    (operation, at, all) =>
      all.findIndex(({ method, path }) => method === operation.method && path === operation.path) === at
  )

const folderOf = ({ call }: Operation): string => (call.includes(".") ? (call.split(".")[0] ?? "") : "key")

const collection = {
  info: {
    name: info.title,
    description: info.description,
    version: info.version,
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
  },
  auth: { type: "bearer", bearer: [{ key: "token", value: "{{api_key}}", type: "string" }] },
  variable: [
    { key: "base_url", value: "http://127.0.0.1:8700" },
    { key: "api_key", value: "" }
  ],
  item: [...new Set(endpoints.map(folderOf))].map((name) => ({
    name,
    item: endpoints.filter((operation) => folderOf(operation) === name).map(requestOf)
  }))
}

export const postmanFiles: Readonly<Record<string, string>> = {
  "../../openapi/integration.postman.json": `${JSON.stringify(collection, null, 2)}\n`
}
