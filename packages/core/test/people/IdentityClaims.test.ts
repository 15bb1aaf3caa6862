import { assert, describe, it } from "@effect/vitest"
import {
  type AccessRule,
  isAddress,
  type IdentityClaims,
  membershipsOf,
  personOf
} from "@runhook/core/people/IdentityClaims"
import { AccountId } from "@runhook/core/shared/Ids"

const one = AccountId.make("0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f")
const other = AccountId.make("0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e70")

const rules: ReadonlyArray<AccessRule> = [
  { who: { _tag: "Group", group: "ops" }, accountId: one, role: "admin" },
  { who: { _tag: "Domain", domain: "Example.com" }, accountId: one, role: "viewer" },
  { who: { _tag: "Address", address: "ada@example.com" }, accountId: other, role: "admin" },
  { who: { _tag: "Address", address: "kate@elsewhere.org" }, accountId: other, role: "admin" },
  { who: { _tag: "Domain", domain: "kelvin.org" }, accountId: other, role: "admin" }
]

/** "K" in another alphabet, whose lower case is the letter of ours. */
const kelvin = "\u212a"

const ada: IdentityClaims = {
  issuer: "https://login.example.com",
  subject: "4711",
  name: "Ada Lovelace",
  verifiedEmail: "ADA@example.com",
  groups: []
}

describe("what a provider says opens", () => {
  it("the accounts of every rule that it meets, whatever the case of the address", () => {
    assert.deepStrictEqual(membershipsOf(rules, ada), [
      { accountId: one, role: "viewer" },
      { accountId: other, role: "admin" }
    ])
  })

  it("each in the highest role, in whatever order the rules stand", () => {
    const opsToo = { ...ada, groups: ["staff", "ops"] }
    const expected = { accountId: one, role: "admin" }

    assert.deepInclude(membershipsOf(rules, opsToo), expected)
    assert.deepInclude(membershipsOf(rules.toReversed(), opsToo), expected)
  })

  it.each([
    { verifiedEmail: null },
    { verifiedEmail: "ada@sub.example.com" },
    { verifiedEmail: "ada@notexample.com" },
    { verifiedEmail: "example.com@elsewhere.org" },
    { verifiedEmail: "example.com" },
    { verifiedEmail: "@example.com" },
    { verifiedEmail: "mallory@elsewhere.org\n@example.com" },
    { verifiedEmail: "mallory@elsewhere.org@example.com" },
    { verifiedEmail: "mallory@example.com\n" },
    { verifiedEmail: "mallory @example.com" },
    { verifiedEmail: "mallory@exam\u017fple.com" },
    { verifiedEmail: `${kelvin}ate@elsewhere.org` },
    { verifiedEmail: `mallory@${kelvin}elvin.org` },
    { groups: ["Ops", "ops "], verifiedEmail: null }
  ])("nothing to %o", (said) => {
    assert.deepStrictEqual(membershipsOf(rules, { ...ada, ...said }), [])
  })
})

it("somebody is called what any list can show, and is the subject of their issuer", () => {
  const longest = "x".repeat(201)

  assert.deepStrictEqual(
    [
      personOf(ada),
      personOf({ ...ada, name: longest }),
      personOf({ ...ada, name: null, verifiedEmail: null }),
      personOf({ ...ada, name: "\u0000", verifiedEmail: null, subject: "\u2028" })
    ].map(({ name }) => name),
    ["Ada Lovelace", longest.slice(1), "4711", "Somebody without a name"]
  )
  assert.strictEqual(personOf({ ...ada, name: " Ada\n\u202eLovelace\u0000 " }).name, "Ada Lovelace")
  assert.strictEqual(personOf(ada).subject, "https://login.example.com 4711")
})

it.each([
  "-ada@example.com",
  ".ada@example.com",
  "ada.@example.com",
  "a..da@example.com",
  "ada@ex..ample.com"
])("%s is no address", (text) => {
  assert.isFalse(isAddress(text))
})
