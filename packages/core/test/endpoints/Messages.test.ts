import { assert, describe, it } from "@effect/vitest"
import { isForsaken } from "@runhook/core/endpoints/Messages"
import { second } from "../runs/RunFixtures.ts"

describe("an endpoint that nobody fetches from", () => {
  const endpoint = { createdAt: second(0), fetchedAt: null, removeAfterSeconds: 90 }

  it.each([
    { what: "goes away after its time", given: endpoint, at: 91, isGone: true },
    { what: "stays until then", given: endpoint, at: 90, isGone: false },
    { what: "stays after a fetch", given: { ...endpoint, fetchedAt: second(60) }, at: 91, isGone: false },
    {
      what: "goes away after its last fetch",
      given: { ...endpoint, fetchedAt: second(60) },
      at: 151,
      isGone: true
    },
    {
      what: "stays for good unless told",
      given: { ...endpoint, removeAfterSeconds: null },
      at: 1e6,
      isGone: false
    }
  ])("$what", ({ at, given, isGone }) => {
    assert.strictEqual(isForsaken(given, second(at)), isGone)
  })
})
