/** The collection of Postman is one that Postman takes, with every endpoint of the integration API. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { assert, describe, it } from "vitest"

/** A package of CommonJS, whose names Node does not see in an import. */
interface Validators {
  readonly PostmanValidator: new () => {
    readonly verify: (document: unknown) => Promise<ReadonlyArray<unknown>>
  }
}

const { PostmanValidator }: Validators = createRequire(import.meta.url)("@har-sdk/validator")

interface Request {
  readonly method: string
  readonly url: {
    readonly path: ReadonlyArray<string>
    readonly variable: ReadonlyArray<{ readonly key: string }>
  }
  readonly body?: { readonly raw: string }
}

interface Collection {
  readonly item: ReadonlyArray<{
    readonly item: ReadonlyArray<{ readonly name: string; readonly request: Request }>
  }>
}

const text = readFileSync(new URL("../../../openapi/integration.postman.json", import.meta.url), "utf8")
const collection: Collection = JSON.parse(text)
const requests = collection.item.flatMap(({ item }) => item.map(({ request }) => request))

describe("the collection of Postman", () => {
  it("is what Postman's schema takes", async () => {
    const validator = new PostmanValidator()

    assert.deepStrictEqual(await validator.verify(JSON.parse(text)), [])
    assert.isNotEmpty(
      await validator.verify({ ...JSON.parse(text), item: [{ name: "a folder without requests" }] })
    )
  })

  it("has every endpoint once", () => {
    const endpoints = Object.values(IntegrationApi.groups).flatMap((group) => Object.values(group.endpoints))
    const key = (method: string, path: string) => `${method} ${path.replaceAll(/:\w+/g, "*")}`

    assert.sameMembers(
      requests.map(({ method, url }) => key(method, `/${url.path.join("/")}`)),
      endpoints.map(({ method, path }) => key(method, path))
    )
  })

  it("names the ids of a path as variables, and has JSON for every body", () => {
    for (const { body, url } of requests) {
      const ids = url.path.filter((step) => step.startsWith(":")).map((step) => step.slice(1))
      assert.deepStrictEqual(
        url.variable.map(({ key }) => key),
        ids
      )
      if (body !== undefined) assert.isObject(JSON.parse(body.raw))
    }
    assert.isAbove(requests.filter(({ body }) => body !== undefined).length, 15)
  })
})
