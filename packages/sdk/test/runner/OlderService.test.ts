import { assert, describe, it } from "vitest"
import { longPolls, sharedService } from "@runhook/test-support/world/Service"
import { makeSdkTenant, until } from "./SdkTenant.ts"
import { claimIn, tapped, tells } from "./Wiretap.ts"

/** Longer than any machine takes, and shorter than a poll waits. */
const timeout = 55_000

const service = await sharedService(longPolls)

const refusing = () =>
  Response.json(
    {
      error: {
        code: "invalid_request",
        message: "body.outcomes: is not a known field",
        details: null,
        request_id: "req_1"
      }
    },
    { status: 400 }
  )

/** The answer, as a service gives it that knows no outcomes. */
const withoutOutcomes = async (answer: Response): Promise<Response> => {
  const body = await answer.text()
  return new Response(body.replace(/,"outcomes":\[[^\]]*\]/, ""), { status: answer.status })
}

describe("a runner at an older process of the service", { timeout }, () => {
  it("asks for work without a start once that was refused", async () => {
    const tenant = await makeSdkTenant({ service })
    let refusals = 0
    const tap = tapped(async (said) =>
      claimIn(said).some(({ outcomes, start }) => start === true && outcomes === undefined) &&
      ++refusals === 1
        ? refusing()
        : undefined
    )
    await using runner = tenant.runner({ print: () => ({ pages: 1 }) }, { fetch: tap.fetch })
    await runner.start()

    const first = await tenant.outcome(await tenant.queue("print"))
    await until(() => refusals > 0)
    const second = await tenant.outcome(await tenant.queue("print"))

    assert.deepStrictEqual([first.status, second.status], ["completed", "completed"])
    assert.isEmpty(runner.problems)
  })

  it("tells what has ended by single calls where nothing else is known", async () => {
    const tenant = await makeSdkTenant({ service })
    const tap = tapped(async (said, send) =>
      claimIn(said).some(({ outcomes, start }) => outcomes !== undefined || start !== undefined)
        ? refusing()
        : said.path === "/claims"
          ? withoutOutcomes(await send())
          : undefined
    )
    await using runner = tenant.runner({ print: () => ({ pages: 1 }) }, { fetch: tap.fetch })
    await runner.start()

    const { status } = await tenant.outcome(await tenant.queue("print"))

    assert.strictEqual(status, "completed")
    assert.strictEqual(tap.count("/executions/{id}/complete"), 1)
    assert.isTrue(tap.claims().every(({ outcomes }) => outcomes === undefined))
    assert.isEmpty(runner.problems)
  })

  it("tells by single calls what such a process has refused", async () => {
    const tenant = await makeSdkTenant({ service })
    let refusals = 0
    const tap = tapped(async (said) => (tells(said) && ++refusals === 1 ? refusing() : undefined))
    await using runner = tenant.runner({ print: () => ({ pages: 1 }) }, { capacity: 1, fetch: tap.fetch })
    await runner.start()

    const first = await tenant.outcome(await tenant.queue("print"))
    await until(() => tap.claims().at(-1)?.free_slots === 1)
    const second = await tenant.outcome(await tenant.queue("print"))

    assert.deepStrictEqual([first.status, second.status], ["completed", "completed"])
    assert.strictEqual(tap.count("/executions/{id}/complete"), 1)
    assert.strictEqual(refusals, 2)
    assert.isEmpty(runner.problems)
  })
})
