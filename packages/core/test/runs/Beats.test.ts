import { assert, describe } from "@effect/vitest"
import { Executions } from "@runhook/core/executions/Executions"
import { Polling } from "@runhook/core/runs/claim/Polling"
import { second } from "@runhook/store-testing/Fixtures"
import { test } from "@runhook/test-support/engine/Test"
import { inFlightOf, makeClaimedRun, makeRunner, makeStartedRun } from "@runhook/test-support/engine/Runner"
import { makeAgent, makeTenant } from "@runhook/test-support/engine/Tenant"
import { TestClock } from "effect/testing"

describe("Polling.beat", () => {
  test("extends the leases of all that was started, and of nothing else", function* () {
    const tenant = yield* makeTenant()
    const runner = yield* makeRunner(tenant)
    const started = [yield* makeStartedRun(tenant, runner), yield* makeStartedRun(tenant, runner)]
    const claimed = yield* makeClaimedRun(tenant, runner)
    const inFlight = [...started, claimed].map(({ held }) => inFlightOf(held))
    yield* TestClock.adjust("20 seconds")

    const { held } = yield* (yield* Polling).beat({ ...runner, inFlight })

    assert.deepStrictEqual(
      held.map(({ lease }) => lease.expiresAt),
      [second(80), second(80), second(60)]
    )
  })

  test("tells what a poll would tell, and takes nothing from the poll", function* () {
    const polling = yield* Polling
    const tenant = yield* makeTenant()
    const runner = yield* makeRunner(tenant)
    const { execution, held } = yield* makeStartedRun(tenant, runner)
    yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: null })
    const beat = { ...runner, inFlight: [inFlightOf(held)] }

    const first = yield* polling.beat(beat)
    const again = yield* polling.beat(beat)

    assert.strictEqual(first.commands[0]?._tag, "Cancel")
    assert.deepStrictEqual(again, first)
  })

  test("tells nothing of work that another agent's runners hold", function* () {
    const tenant = yield* makeTenant()
    const { held } = yield* makeStartedRun(tenant, yield* makeRunner(tenant))
    const other = yield* makeAgent(tenant.agent)
    const runner = yield* makeRunner(tenant, { instanceId: "other", agentIds: [other.id] })

    const pulse = yield* (yield* Polling).beat({ ...runner, inFlight: [inFlightOf(held)] })

    assert.deepStrictEqual(pulse, { held: [], commands: [], lost: [inFlightOf(held)] })
  })

  test("knows nothing of executions of another account", function* () {
    const tenant = yield* makeTenant()
    const { held } = yield* makeStartedRun(tenant, yield* makeRunner(tenant))
    const runner = yield* makeRunner(yield* makeTenant())

    const { lost } = yield* (yield* Polling).beat({ ...runner, inFlight: [inFlightOf(held)] })

    assert.deepStrictEqual(lost, [inFlightOf(held)])
  })
})
