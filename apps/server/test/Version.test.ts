import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { apiVersion } from "@runhook/contract/OpenApiDocument"
import { version } from "../src/Version.ts"

describe("the version", () => {
  it("is that of the package", () => {
    const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

    assert.deepInclude(manifest, { version })
  })

  it("is that of the OpenAPI documents", () => {
    assert.strictEqual(apiVersion, version)
  })
})
