/** The button that leads to the company account, and what the page says of what comes of it. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { checkView } from "./CheckView.ts"
import { startCompany } from "./CompanyProvider.ts"
import { consoleSuite } from "./ConsoleSuite.ts"

const company = await startCompany()

describe("the company account", () => {
  const { baseUrl, openConsole } = consoleSuite({
    RUNHOOK_OIDC_ISSUER: company.issuer,
    RUNHOOK_OIDC_CLIENT_ID: company.clientId,
    RUNHOOK_OIDC_CLIENT_SECRET: company.clientSecret,
    // An account that is not made yet.
    RUNHOOK_OIDC_ALLOW: "example.com=0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f:viewer"
  })
  beforeAll(() => company.knows(baseUrl()))
  afterAll(() => company[Symbol.asyncDispose]())

  it("is one button away, and says when no account is theirs, or they said no", async () => {
    const expects = new RegExp(`401|${company.issuer}`)
    const page = await openConsole("/deliveries?state=dead", { role: null, expects })
    const button = page.getByRole("link", { name: "Sign in with your company account" })
    await button.waitFor()
    await checkView(page, "sign-in-company")
    company.person = { sub: "ada", name: "Ada", email: "ada@example.com", email_verified: true }

    await button.click()
    await page.getByRole("heading", { name: "You have no account yet" }).waitFor()
    await checkView(page, "sign-in-no-account")
    company.person = null
    // The company forgets who they were.
    await page.context().clearCookies()
    await button.click()
    await page.getByRole("heading", { name: "The sign-in was not finished" }).waitFor()

    assert.strictEqual(page.url(), `${baseUrl()}/integrations/sign-in?problem=refused`)
  })
})
