import { assert, describe, it } from "vitest"
import { longPolls, sharedService } from "@runhook/test-support/world/Service"
import { makeHeldWork, makeSdkTenant, moment, until } from "./SdkTenant.ts"
import { tapped, tells } from "./Wiretap.ts"

/** Longer than any machine takes, and shorter than a poll waits. */
const timeout = 55_000

const service = await sharedService(longPolls)

describe("a round of a runner", { timeout }, () => {
  it("is one request, for whatever has ended and whatever is to begin", async () => {
    const tenant = await makeSdkTenant({ service })
    const tap = tapped()
    const [both, finishes] = [moment(), moment()]
    let begun = 0
    await using runner = tenant.runner(
      {
        print: async ({ attempt, is_resumed }) => {
          if (++begun === 4) both.come()
          await finishes.comes
          return { pages: 1, attempt, is_resumed }
        }
      },
      { capacity: 4, fetch: tap.fetch }
    )
    const first = await Promise.all([1, 2, 3, 4].map(() => tenant.queue("print")))
    await runner.start()
    await both.comes
    await until(() => tap.claims().at(-1)?.free_slots === 0)
    const second = await Promise.all([1, 2, 3, 4].map(() => tenant.queue("print")))
    const before = tap.claims().length

    finishes.come()

    const outcomes = await Promise.all([...first, ...second].map(tenant.outcome))
    for (const { result, status } of outcomes) {
      assert.deepStrictEqual([status, result], ["completed", { pages: 1, attempt: 1, is_resumed: false }])
    }
    const rounds = tap.claims().slice(before)
    assert.deepStrictEqual(
      rounds.slice(0, 2).map(({ free_slots, outcomes: told, start }) => [told?.length, free_slots, start]),
      [
        [4, 4, true],
        [4, 4, true]
      ]
    )
    assert.strictEqual(tap.count("/executions/{id}/start"), 4)
    assert.strictEqual(tap.count("/executions/{id}/complete"), 0)
    assert.isEmpty(runner.problems)
  })

  it("goes beside the poll that waits for work, and takes none", async () => {
    const tenant = await makeSdkTenant({ service })
    const tap = tapped()
    const finishes = moment()
    await using runner = tenant.runner(
      { print: () => finishes.comes.then(() => ({ pages: 1 })) },
      { capacity: 2, fetch: tap.fetch }
    )
    await runner.start()
    const id = await tenant.queue("print")
    await until(() => tap.claims().at(-1)?.free_slots === 1)
    const polls = tap.claims().length

    finishes.come()

    assert.strictEqual((await tenant.outcome(id)).status, "completed")
    // It ends the poll, which named the work, and the next names it no more.
    await until(() => tap.claims().at(-1)?.free_slots === 2)
    const since = tap.claims().slice(polls)
    assert.deepStrictEqual(
      since.map(({ free_slots, in_flight, outcomes = [], wait_ms }) => [
        free_slots,
        wait_ms,
        in_flight?.length,
        outcomes.length
      ]),
      [
        [0, 0, 0, 1],
        [2, 60_000, 0, 0]
      ]
    )
    assert.strictEqual(tap.count("/executions/{id}/complete"), 0)
    assert.strictEqual((await tenant.outcome(await tenant.queue("print"))).status, "completed")
  })

  it("begins work with the poll that has waited for it", async () => {
    const tenant = await makeSdkTenant({ service })
    const tap = tapped()
    await using runner = tenant.runner({ print: () => ({ pages: 1 }) }, { fetch: tap.fetch })
    await runner.start()
    const outcomes = []

    // The first answer says that the service knows this.
    for (const _ of [1, 2, 3]) outcomes.push(await tenant.outcome(await tenant.queue("print")))

    assert.deepStrictEqual(
      outcomes.map(({ attempt, status }) => [status, attempt]),
      [
        ["completed", 1],
        ["completed", 1],
        ["completed", 1]
      ]
    )
    assert.strictEqual(tap.count("/executions/{id}/start"), 1)
    assert.isTrue(tap.claims().some(({ start, wait_ms }) => start === true && wait_ms === 60_000))
  })

  it("loses nothing when its answer is lost: neither what has ended nor what has begun", async () => {
    const tenant = await makeSdkTenant({ service })
    let lost = 0
    const next = moment()
    const nothing = { claims: [], commands: [], lost: [], outcomes: [], request_id: "req_1" }
    const tap = tapped(async (said, send) => {
      if (tells(said) && ++lost === 1) {
        await (await send()).text()
        throw new TypeError("the connection was cut")
      }
      if (lost !== 1) return undefined
      // Whatever comes next has brought nothing before the slot is free.
      if (said.path.endsWith("/complete")) await next.comes
      if (said.path !== "/claims") return undefined
      lost += 1
      next.come()
      return Response.json(nothing)
    })
    const [begun, finishes] = [moment(), moment()]
    const seen: Array<boolean> = []
    await using runner = tenant.runner(
      {
        print: async ({ is_resumed }) => {
          seen.push(is_resumed)
          begun.come()
          await finishes.comes
          return { pages: 1 }
        }
      },
      { capacity: 1, fetch: tap.fetch }
    )
    await runner.start()
    const first = await tenant.queue("print")
    await begun.comes
    await until(() => tap.claims().at(-1)?.free_slots === 0)
    const second = await tenant.queue("print")

    finishes.come()

    const outcomes = await Promise.all([first, second].map(tenant.outcome))
    assert.deepStrictEqual(
      outcomes.map(({ attempt, status }) => [status, attempt]),
      [
        ["completed", 1],
        ["completed", 1]
      ]
    )
    assert.deepStrictEqual(seen, [false, false])
    assert.isEmpty(runner.problems)
  })

  it("is told and done although the runner drains in the middle of it", async () => {
    const tenant = await makeSdkTenant({ service })
    const work = makeHeldWork()
    let drain = () => {}
    const tap = tapped(async (said, send) => {
      if (!tells(said)) return undefined
      const answer = await send()
      drain()
      return answer
    })
    const runner = tenant.runner({ print: work.print }, { capacity: 1, fetch: tap.fetch })
    drain = () => runner.drain()
    await runner.start()
    const first = await tenant.queue("print")
    await work.begun
    await until(() => tap.claims().at(-1)?.free_slots === 0)
    const second = await tenant.queue("print")

    work.end()

    const outcomes = await Promise.all([first, second].map(tenant.outcome))
    assert.deepStrictEqual(
      outcomes.map(({ attempt, status }) => [status, attempt]),
      [
        ["completed", 1],
        ["completed", 1]
      ]
    )
    await runner.stop({ graceMs: Infinity })
    assert.strictEqual(await tenant.runners(), 0)
    assert.isEmpty(runner.problems)
  })

  it("tells what has ended again when something else than the service has answered", async () => {
    const tenant = await makeSdkTenant({ service })
    let pages = 0
    const tap = tapped(async ({ path }) =>
      path.endsWith("/complete") && ++pages === 1 ? new Response("<h1>Please sign in</h1>") : undefined
    )
    const text = "x".repeat(50_000)
    await using runner = tenant.runner({ print: () => ({ pages: 1, text }) }, { fetch: tap.fetch })
    await runner.start()

    const { result } = await tenant.outcome(await tenant.queue("print"))

    assert.deepStrictEqual(result, { pages: 1, text })
    assert.strictEqual(pages, 2)
  })

  it("lets one outcome that is refused, or cannot be written, keep no other back", async () => {
    const tenant = await makeSdkTenant({ service })
    const tap = tapped()
    const [all, finishes] = [moment(), moment()]
    let begun = 0
    const ending = (result: () => object) => async () => {
      if (++begun === 4) all.come()
      await finishes.comes
      return result()
    }
    const circle: { self?: object } = {}
    circle.self = circle
    await using runner = tenant.runner(
      {
        lies: ending(() => ({ pages: "many" })),
        circles: ending(() => circle),
        miscounts: ending(() => ({ pages: NaN })),
        print: ending(() => ({ pages: 1 }))
      },
      { capacity: 4, fetch: tap.fetch }
    )
    await runner.start()
    const ids = await Promise.all(["lies", "circles", "miscounts", "print"].map((slug) => tenant.queue(slug)))
    await all.comes
    await until(() => tap.claims().at(-1)?.free_slots === 0)

    finishes.come()

    const [lied, circled, miscounted, printed] = await Promise.all(ids.map(tenant.outcome))
    assert.deepStrictEqual(
      [lied, circled, miscounted, printed].map((each) => each?.status),
      ["error", "error", "error", "completed"]
    )
    assert.include(lied?.error_message, "outcome was refused")
    assert.include(circled?.error_message, "result.self contains itself")
    assert.include(miscounted?.error_message, "pages is NaN, which has no JSON")
    assert.deepStrictEqual(
      runner.problems.map(({ kind }) => kind),
      ["outcome_refused", "outcome_refused", "outcome_refused"]
    )
  })
})
