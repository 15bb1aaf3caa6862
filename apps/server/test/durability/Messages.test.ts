/** Messages of a polled endpoint, between a kill of the service and the acknowledgement of what it had given out. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { temporaryDirectory } from "../RunhookProcess.ts"
import { onDatabase, testPostgres } from "../TestPostgres.ts"
import { insist, makeTenant } from "./load/Asking.ts"
import { memberOf } from "./systems/Member.ts"

const adminKey = "the-admin-key-of-the-durability-test"

interface Message {
  readonly message_id: string
  readonly attempt: number
  readonly body: string
}

const idOf = ({ message_id }: Message): string => message_id

/** Lets the leases of all that was given out end, of which nobody is told. */
const passLeases = SqlClient.use((sql) =>
  Effect.andThen(
    sql`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE state = 'pending' AND next_attempt_at > now()`,
    sql`UPDATE webhook_queue SET due_at = now() WHERE due_at > now()`
  )
)

/** An execution and its event, such as `queued`. */
const eventIn = ({ body }: Message): readonly [id: string, type: string] => {
  const { execution, type } = JSON.parse(body)
  return [execution.id, type.replace("execution.", "")]
}

describe("messages that were given out when the service is killed", () => {
  it.live("are acknowledged by the next one, or given out again in their order, and none is lost", () =>
    Effect.gen(function* () {
      const { url } = yield* testPostgres
      const service = memberOf(
        {
          RUNHOOK_ADMIN_KEY: adminKey,
          RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
          RUNHOOK_DATA_DIR: yield* temporaryDirectory,
          RUNHOOK_DATABASE_URL: url
        },
        []
      )
      yield* Effect.addFinalizer(() => Effect.promise(() => service.kill()))
      yield* Effect.promise(() => service.start())
      const { agentId, apiKey: key, taskId } = yield* Effect.promise(() => makeTenant(service, adminKey))
      const call = (path: string, body?: unknown) =>
        Effect.promise(() => insist(service, { key, path: `/integrations${path}`, body }))
      const { id } = yield* call("/webhooks/endpoints", { kind: "poll" })
      const mailbox = `/webhooks/endpoints/${id}/messages`
      const fetch = (limit: number): Effect.Effect<ReadonlyArray<Message>> =>
        Effect.map(call(`${mailbox}?limit=${limit}`), ({ data }) => data)
      const acknowledge = (messages: ReadonlyArray<Message>) =>
        Effect.map(
          call(`${mailbox}/ack`, { message_ids: messages.map(idOf) }),
          ({ acknowledged }) => acknowledged
        )
      const killed = Effect.promise(async () => {
        await service.kill()
        await service.start()
      })
      const executions = yield* Effect.forEach(Array.from({ length: 12 }), () =>
        Effect.tap(call("/executions", { agent_id: agentId, task_id: taskId }), ({ execution_id }) =>
          call(`/executions/${execution_id}/cancel`, {})
        )
      )
      const arrived: Array<Message> = []
      // Endpoints are told once a change is stored.
      yield* Effect.repeat(call("/webhooks/deliveries?limit=200"), {
        until: ({ data }) => data.length === 2 * executions.length
      })

      const handled = yield* fetch(5)
      const lost = yield* fetch(4)
      yield* killed
      const count = yield* acknowledge(handled)
      arrived.push(...handled)
      const others = yield* fetch(200)
      // Killed once more, between the work of its caller and the acknowledgement.
      yield* killed
      yield* onDatabase(url, passLeases)
      const again = yield* fetch(200)

      assert.strictEqual(count, 5)
      const given = new Map([...lost, ...others].map((message) => [idOf(message), message]))
      const repeated = again.filter((message) => given.has(idOf(message)))
      assert.sameMembers(repeated.map(idOf), [...given.keys()])
      for (const { attempt, body, message_id } of repeated)
        assert.deepStrictEqual([attempt, body], [2, given.get(message_id)?.body])
      const isEarly = (message: Message) => lost.some((each) => eventIn(each)[0] === eventIn(message)[0])
      assert.deepStrictEqual(others.filter(isEarly), [])
      let next = again
      while (next.length > 0) {
        assert.strictEqual(yield* acknowledge(next), next.length)
        arrived.push(...next)
        next = yield* fetch(7)
      }
      for (const { execution_id } of executions)
        assert.deepStrictEqual(
          arrived.map(eventIn).flatMap(([of, type]) => (of === execution_id ? [type] : [])),
          ["queued", "aborted"]
        )
      assert.lengthOf(arrived, 2 * executions.length)
      const { data } = yield* call("/webhooks/deliveries?status=delivered&limit=200")
      assert.sameMembers(
        data.map((delivery: { readonly id: string }) => delivery.id),
        arrived.map(idOf)
      )
    })
  )
})
