import { assert, describe, it } from "vitest"
import { sharedService } from "@runhook/test-support/world/Service"
import { UnauthorizedError } from "../../src/runner/Runner.ts"
import { makeHeldWork, makeSdkTenant, moment, until, untilAborted } from "./SdkTenant.ts"
import { claimIn, tapped, tells } from "./Wiretap.ts"

const service = await sharedService()

describe("a runner that starts", () => {
  it("shares an agent with another runner", async () => {
    const tenant = await makeSdkTenant({ service })
    const both = moment()
    const by: Array<string> = []
    const meet = (name: string) => async () => {
      if (by.push(name) === 2) both.come()
      await both.comes
      return { pages: 1 }
    }
    // Neither can finish before the other has begun.
    await using one = tenant.runner({ print: meet("one") }, { capacity: 1 })
    await using other = tenant.runner({ print: meet("other") }, { capacity: 1 })
    await Promise.all([one.start(), other.start()])

    const ids = await Promise.all([tenant.queue("print"), tenant.queue("print")])
    const outcomes = await Promise.all(ids.map(tenant.outcome))

    assert.sameMembers(by, ["one", "other"])
    assert.deepStrictEqual(
      outcomes.map(({ status }) => status),
      ["completed", "completed"]
    )
  })

  it("says which agents it was not given", async () => {
    const tenant = await makeSdkTenant({ service })
    const agents = [tenant.agentId, crypto.randomUUID()]
    await using runner = tenant.runner({}, { agentIds: agents })

    await runner.start()

    assert.deepStrictEqual(runner.problems, [
      { kind: "agents_missing", message: `no work comes for these agents: ${agents[1]}` }
    ])
  })

  it("does not start with a key that the service refuses", async () => {
    const tenant = await makeSdkTenant({ service })
    const runner = tenant.runner({}, { apiKey: "rhrun_wrong_key" })

    const error: unknown = await runner.run().catch((cause: unknown) => cause)

    assert.instanceOf(error, UnauthorizedError)
  })
})

describe("a runner that stops", () => {
  it("lets work finish, takes no more, and closes the session", async () => {
    const tenant = await makeSdkTenant({ service })
    const work = makeHeldWork()
    const runner = tenant.runner({ print: work.print })
    await runner.start()
    const id = await tenant.queue("print")
    await work.begun

    const stopped = runner.stop()
    const late = await tenant.queue("print")
    work.end()
    await stopped

    assert.strictEqual((await tenant.outcome(id)).status, "completed")
    assert.strictEqual((await tenant.client.executions.get(late)).status, "queued")
    assert.strictEqual(await tenant.runners(), 0)
  })

  it("does what has begun with the poll that waited in that moment", async () => {
    const tenant = await makeSdkTenant({ service })
    let late: Promise<string> | undefined
    const tap = tapped(async (said) => {
      if (claimIn(said).some(({ draining }) => draining)) await (late ??= tenant.queue("print"))
      return undefined
    })
    const runner = tenant.runner({ print: () => ({ pages: 1 }) }, { fetch: tap.fetch })
    await runner.start()
    await tenant.outcome(await tenant.queue("print"))
    // The poll that names nothing any more is the one that waits.
    await until(() =>
      tap
        .claims()
        .slice(-1)
        .some(
          ({ in_flight = [], outcomes, start }) =>
            start === true && outcomes === undefined && in_flight.length === 0
        )
    )

    await runner.stop()

    const { attempt, status } = await tenant.outcome(await (late ?? assert.fail("It asked for nothing")))
    assert.deepStrictEqual([status, attempt], ["completed", 1])
    assert.strictEqual(await tenant.runners(), 0)
    assert.isEmpty(runner.problems)
  })

  it("aborts what outlasts the grace, which may be tried again", async () => {
    const tenant = await makeSdkTenant({ service, attemptsMax: 2 })
    const begun = moment()
    const runner = tenant.runner({
      print: ({ signal }) => {
        begun.come()
        return untilAborted(signal)
      }
    })
    await runner.start()
    const id = await tenant.queue("print")
    await begun.comes

    await runner.stop({ graceMs: 0 })

    assert.strictEqual((await tenant.client.executions.get(id)).status, "queued")
  })

  it("takes nothing that it has just given up, however late its poll ends", async () => {
    const tenant = await makeSdkTenant({ service, attemptsMax: 2 })
    let begun = 0
    let telling: Promise<Response> | undefined
    const aborted = moment()
    const tap = tapped(async (said, send) => {
      if (tells(said)) return await (telling = send())
      // The word that ends the poll is late: by then the service has heard all that is said beside the poll.
      if (claimIn(said).some(({ draining, wait_ms }) => draining && wait_ms === 1)) {
        await aborted.comes
        await turns()
        await telling
      }
      return undefined
    })
    const runner = tenant.runner(
      {
        print: ({ signal }) => {
          begun += 1
          return untilAborted(signal).finally(aborted.come)
        },
        warm: () => ({ pages: 1 })
      },
      { fetch: tap.fetch }
    )
    await runner.start()
    // From the first answer on it knows that outcomes go along with claims.
    await tenant.outcome(await tenant.queue("warm"))
    const id = await tenant.queue("print")
    await until(() => begun === 1)

    await runner.stop({ graceMs: 0 })

    const { attempt, status } = await tenant.client.executions.get(id)
    assert.deepStrictEqual([status, attempt, begun], ["queued", 1, 1])
  })
})

/** As many turns of the event loop as whatever has begun may need to say so. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => void setImmediate(resolve))
}

describe("work of an earlier life", () => {
  /** Work that a runner had begun when its process died: another runner's fetch forgets to say so. */
  const orphan = async () => {
    const tenant = await makeSdkTenant({ service })
    const begun = moment()
    const life = new AbortController()
    const mortal: typeof fetch = (input, init) =>
      fetch(input, {
        ...init,
        signal: AbortSignal.any([life.signal, ...(init?.signal ? [init.signal] : [])])
      })
    const first = tenant.runner(
      { print: ({ signal }) => (begun.come(), untilAborted(signal)) },
      { instanceId: "press-1", fetch: mortal }
    )
    await first.start()
    const id = await tenant.queue("print")
    await begun.comes
    life.abort()
    return { tenant, id }
  }

  it("is reported as failed", async () => {
    const { id, tenant } = await orphan()
    await using runner = tenant.runner({ print: () => ({ pages: 1 }) }, { instanceId: "press-1" })

    await runner.start()

    const { error_message, status } = await tenant.outcome(id)
    assert.deepStrictEqual([status, error_message], ["error", "the runner was restarted"])
  })

  it("is taken up again where that is wished", async () => {
    const { id, tenant } = await orphan()
    const again = {
      print: ({ attempt, is_resumed }: { attempt: number; is_resumed: boolean }) => ({ attempt, is_resumed })
    }
    await using runner = tenant.runner(again, { instanceId: "press-1", recover: "resume" })

    await runner.start()

    assert.deepStrictEqual((await tenant.outcome(id)).result, { attempt: 1, is_resumed: true })
  })
})
