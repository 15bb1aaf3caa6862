import { assert, it } from "@effect/vitest"
import { claimsOf } from "../../src/sign-in/ProviderClaims.ts"

const verified = { iss: "https://login.example.com", sub: "ada" }

it("what a provider says is taken where it is what it should be", () => {
  const said = {
    sub: "somebody else",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    groups: ["ops", "staff"]
  }

  assert.deepStrictEqual(claimsOf([said], verified), {
    issuer: "https://login.example.com",
    subject: "ada",
    name: "Ada Lovelace",
    verifiedEmail: "ada@example.com",
    groups: ["ops", "staff"]
  })
})

it.each([
  { said: {}, name: null, groups: [] },
  { said: { name: "", preferred_username: "ada" }, name: "ada", groups: [] },
  { said: { name: 5, email: "ada@example.com", groups: "ops" }, name: "ada@example.com", groups: [] },
  {
    said: { email: "ada@example.com", email_verified: "true", groups: ["ops", 5] },
    name: "ada@example.com",
    groups: []
  }
])("and counts as not said where it is not: $said", ({ groups, name, said }) => {
  const claims = claimsOf([said], verified)

  assert.deepStrictEqual([claims.name, claims.verifiedEmail, claims.groups], [name, null, groups])
})

it("comes from the first source that says it", () => {
  const token = { preferred_username: "ada", groups: ["staff"] }
  const userinfo = { name: "Ada Lovelace", groups: ["ops"] }

  const { groups, name } = claimsOf([token, userinfo], verified)

  assert.deepStrictEqual([name, groups], ["Ada Lovelace", ["staff"]])
})
