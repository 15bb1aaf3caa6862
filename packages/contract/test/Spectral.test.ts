import { assert, describe, it } from "@effect/vitest"
import { Ruleset, Spectral } from "@stoplight/spectral-core"
import { oas } from "@stoplight/spectral-rulesets"
import { apiNames, documents } from "./Documents.ts"

/** The rules that everybody uses, errors and warnings alike, and one that most leave off. */
const ruleset = new Ruleset({ extends: [oas], rules: { "oas3-parameter-description": "warn" } })

/** What Spectral finds. It also validates every example by the JSON Schema beside it. */
const findingsOf = async (document: object) => {
  const spectral = new Spectral()
  spectral.setRuleset(ruleset)
  const findings = await spectral.run({ ...document })
  return findings.map(({ code, message, path }) => `${code} at ${path.join(".")}: ${message}`)
}

describe("the OpenAPI documents, by Spectral's rules", () => {
  it.each(apiNames)("have nothing to be found in that of the %s API", async (name) => {
    assert.deepStrictEqual(await findingsOf(documents[name]), [])
  })

  it("are looked at for examples that break their schema", async () => {
    const broken = JSON.stringify(documents.integration).replace('"priority":0', '"priority":"urgent"')

    const findings = await findingsOf(JSON.parse(broken))

    assert.include(findings.join("\n"), "oas3-valid-media-example")
  })
})
