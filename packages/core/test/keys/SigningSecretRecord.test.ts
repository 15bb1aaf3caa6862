import { assert, describe, it } from "@effect/vitest"
import { ApiKeyId, SigningSecretId } from "@runhook/core/shared/Ids"
import { type SigningSecretRecord, stateOf } from "@runhook/core/keys/SigningSecretRecord"
import * as DateTime from "effect/DateTime"

const hour = (hours: number) => DateTime.makeUnsafe(hours * 3_600_000)

const secret = (number: number, activeAt: number, expiresAt: number | null): SigningSecretRecord => ({
  id: SigningSecretId.make(`00000000-0000-7000-8000-00000000000${number}`),
  apiKeyId: ApiKeyId.make("00000000-0000-7000-8000-000000000000"),
  ciphertext: "sealed",
  activeAt: hour(activeAt),
  expiresAt: expiresAt === null ? null : hour(expiresAt),
  createdAt: hour(0)
})

describe("the state of a signing secret", () => {
  // Staged at hour 0: the new one takes over at hour 2, and the old one ends at hour 4.
  const old = secret(1, 0, 4)
  const next = secret(2, 2, null)

  it.each([
    { at: 1, states: ["active", "staged"] },
    { at: 2, states: ["previous", "active"] },
    { at: 3, states: ["previous", "active"] }
  ])("is $states at hour $at of a staged rotation", ({ at, states }) => {
    assert.deepStrictEqual(
      [old, next].map((each) => stateOf(each, [old, next], hour(at))),
      states
    )
  })
})
