import { silence } from "@runhook/test-support/receivers/Receiver"
import { assert, describe, it } from "vitest"
import { TimeoutError } from "../../src/Runhook.ts"
import { failureOf, meeting } from "../call/Meeting.ts"
import { json } from "../call/RawServer.ts"

const replay = (status: string) =>
  json(200, { id: "r-1", status, finished_at: status === "running" ? null : "2030-01-01T00:00:00.000Z" })

describe("deliveries.replays.waitFor", () => {
  it.each(["completed", "cancelled", "of_a_later_version"])("looks until the replay is %s", async (end) => {
    const { client, clock, server } = await meeting(["running", "running", end].map(replay))
    await using _ = server

    const { status } = await client.deliveries.replays.waitFor("r-1")

    assert.strictEqual(status, end)
    assert.deepStrictEqual(clock.pauses, [2_000, 2_000])
    assert.match(server.received[0]?.path ?? "", /\/webhooks\/replays\/r-1$/)
  })

  it("ends after its time, and names the replay", async () => {
    const { client, server } = await meeting([silence])
    await using _ = server

    const failure = await failureOf(client.deliveries.replays.waitFor("r-1", { waitMs: 0 }))

    assert.instanceOf(failure, TimeoutError)
    assert.include(failure.message, "Replay r-1")
  })
})
