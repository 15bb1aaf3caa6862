import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { partOf } from "@runhook/contract/openapi/Document"
import { InputClosed } from "@runhook/core/runs/InputMoves"
import { UploadMismatch } from "@runhook/core/artifacts/ArtifactStorage"
import { DeliveryNotWaiting } from "@runhook/core/deliveries/DeliveryStore"
import { NotRemovable } from "@runhook/core/shared/Refusals"
import { operations } from "../Documented.ts"

const page = readFileSync(new URL("../../../../docs/errors.md", import.meta.url), "utf8")

/** The first two columns of each row of the page's tables. */
const rows = [...page.matchAll(/^\| (.+?) \| (.+?) \|/gm)].map(([, first = "", second = ""]) => [
  first,
  second
])

const wordsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/`(\w+)`/g)].flatMap(([, word]) => word ?? [])

const sources = new URL("../../src/", import.meta.url)

/** Reasons of sign-in at a provider are in the address of the page, not in errors. */
const reasonsInSources = readdirSync(sources, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !/Provider\w+\.ts$/.test(file))
  .flatMap((file) => [
    ...readFileSync(new URL(file, sources), "utf8").matchAll(/(?:because\(|namedBy\(|reason: )"(\w+)"/g)
  ])
  .flatMap(([, reason]) => reason ?? [])

/** Those that the table of errors hands through. */
const reasonsOfTheCore = [DeliveryNotWaiting, InputClosed, NotRemovable, UploadMismatch].flatMap(
  ({ fields }) => fields.reason.literals
)

describe("the page of errors", () => {
  it("names every reason that an error may give, and no other", () => {
    const named = rows.filter(([, status = ""]) => /^\d{3}(, \d{3})*$/.test(status))

    const reasons = named.flatMap(([reason = ""]) => wordsIn(reason))

    assert.sameMembers([...reasons], [...new Set([...reasonsInSources, ...reasonsOfTheCore])])
  })

  it("has every status and code of the OpenAPI documents, and those of requests that are none", () => {
    const documented = operations.flatMap(({ description }) =>
      Object.entries(partOf(description["responses"])).flatMap(([status, answer]) =>
        Number(status) < 400
          ? []
          : wordsIn(String(partOf(answer)["description"])).map((code) => `${status} ${code}`)
      )
    )
    const beforeTheApi = ["408 invalid_request", "431 invalid_request"]

    const listed = rows.flatMap(([status = "", code = ""]) =>
      /^\d{3}$/.test(status) ? wordsIn(code).map((each) => `${status} ${each}`) : []
    )

    assert.sameMembers(listed, [...new Set([...documented, ...beforeTheApi])])
  })
})
