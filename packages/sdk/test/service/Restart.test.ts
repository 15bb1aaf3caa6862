/** Calls that outlive the service's process. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { wireTo } from "@runhook/test-support/receivers/Wire"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { assert, it } from "vitest"
import { startService } from "@runhook/test-support/world/Service"
import * as Effects from "../../src/effect/Runhook.ts"
import { Runhook } from "../../src/Runhook.ts"
import {
  python,
  type PythonCall,
  type PythonMode,
  type PythonProcess,
  startPython
} from "../python/Python.ts"
import { makeSdkTenant, until } from "../runner/SdkTenant.ts"

/** Databases are made and started. */
const timeout = 180_000

/** Programs that create at once, each one execution after the other. */
const callers = 8

/** A `fetch` that counts unanswered requests. */
const counting = () => {
  const counted = { failures: 0, fetch: globalThis.fetch }
  counted.fetch = (...args) =>
    fetch(...args).catch((cause: unknown) => {
      counted.failures += 1
      throw cause
    })
  return counted
}

/** What each client for Python says to a call, if there is a Python. */
const inPython = (options: object, call: string) =>
  (["sync", "async"] satisfies ReadonlyArray<PythonMode>).flatMap((mode) =>
    python === undefined ? [] : [oneCall(startPython(python), { mode, options, call })]
  )

const oneCall = async (process: PythonProcess, call: PythonCall): Promise<unknown> => {
  await using _ = process
  return (await process.call(call)).value
}

const allOf = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const item of items) all.push(item)
  return all
}

it(
  "calls, streams and waits outlive a service that is killed and started anew, and every create is answered once",
  { timeout },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "runhook-killed-"))
    try {
      const first = await startService({ directory })
      await using wire = await wireTo(first.url)
      const tenant = await makeSdkTenant({ service: first, clientUrl: wire.url })
      const work = { agent_id: tenant.agentId, task_id: await tenant.taskId("print") }
      const options = { baseUrl: wire.url, apiKey: tenant.apiKey }
      const [creates, promises, effects] = [counting(), counting(), counting()]
      const layer = Effects.Runhook.layer({ ...options, apiKey: Redacted.make(options.apiKey) }).pipe(
        Layer.provide(FetchHttpClient.layer),
        Layer.provide(Layer.succeed(FetchHttpClient.Fetch, effects.fetch))
      )
      const waiting = new Runhook({ ...options, fetch: promises.fetch })
      const { execution_id } = await waiting.executions.create(work)
      const waits = [
        waiting.executions.waitFor(execution_id),
        waiting.executions.createAndWait(work),
        Effect.runPromise(
          Effects.Runhook.use(({ executions }) => executions.createAndWait(work)).pipe(Effect.provide(layer))
        )
      ]
      const followed = Promise.all([
        allOf(waiting.executions.follow(execution_id)),
        Effect.runPromise(
          Stream.runCollect(
            Stream.unwrap(Effects.Runhook.useSync(({ executions }) => executions.follow(execution_id)))
          ).pipe(Effect.provide(layer))
        )
      ])
      const ofPython = { base_url: wire.url, api_key: tenant.apiKey }
      const waitsOfPython = inPython(
        ofPython,
        `executions.create_and_wait(agent_id="${work.agent_id}", task_id="${work.task_id}")`
      )
      const followedInPython = inPython(ofPython, `executions.follow("${execution_id}")`)
      const queued = () => tenant.client.executions.list({ status: "queued" }).toArray({ limit: 100_000 })
      await until(async () => (await queued()).length === waits.length + waitsOfPython.length)
      const awaited = (await queued()).map(({ id }) => id)

      const creating = new Runhook({ ...options, fetch: creates.fetch })
      const answered: Array<string> = []
      let isBack = false
      const lanes = Array.from({ length: callers }, async (_, caller) => {
        for (let number = 0, last = Infinity; number <= last; number++) {
          if (isBack) last = Math.min(last, number + 2)
          const made = await creating.executions.create({ ...work, reference: `${caller}-${number}` })
          answered.push(made.execution_id)
        }
      })
      await until(() => answered.length > 5 * callers)

      await first.kill()
      await until(() => creates.failures >= callers && promises.failures >= 2 && effects.failures >= 1)
      await using second = await startService({ directory })
      wire.mend(second.url)
      isBack = true
      await Promise.all(lanes)

      const found = (await queued()).filter(({ id }) => !awaited.includes(id))
      assert.sameMembers(
        found.map(({ id }) => id),
        answered
      )
      assert.strictEqual(new Set(found.map(({ reference }) => reference)).size, answered.length)
      for (const id of awaited) await tenant.client.executions.cancel(id)
      assert.deepStrictEqual(
        (await Promise.all(waits)).map(({ status }) => status),
        waits.map(() => "aborted")
      )
      assert.deepStrictEqual(
        (await Promise.all(waitsOfPython)).map((ended) => Object(ended).status),
        waitsOfPython.map(() => "aborted")
      )
      for (const events of await Promise.all(followedInPython)) {
        assert(Array.isArray(events))
        assert.deepStrictEqual(
          events.map(({ type }) => type),
          ["created", "aborted"]
        )
      }
      for (const events of await followed) {
        const told = events.map(({ sequence, type }) => `${sequence} ${type}`)
        assert.deepStrictEqual(told, ["1 created", "2 aborted"])
      }
    } finally {
      await rm(directory, { recursive: true, force: true, maxRetries: 10 })
    }
  }
)
