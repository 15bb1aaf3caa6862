import { createPublicKey, hash, verify } from "node:crypto"
import { assert, describe } from "@effect/vitest"
import type { Manifest } from "@runhook/core/evidence/Manifest"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { ServiceKeys } from "@runhook/core/Settings"
import type { KeyRing } from "@runhook/core/signing/KeyRing"
import { Artifacts } from "@runhook/core/artifacts/Artifacts"
import { Evidence } from "@runhook/core/evidence/Evidence"
import { type ExecutionRef, Executions } from "@runhook/core/executions/Executions"
import { Runs } from "@runhook/core/runs/Runs"
import { second } from "@runhook/store-testing/Fixtures"
import { newRing, oldRing } from "@runhook/test-support/engine/Engine"
import { test } from "@runhook/test-support/engine/Test"
import { makeRunner, makeStartedRun } from "@runhook/test-support/engine/Runner"
import { makeExecution, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { newCapture, upload } from "../artifacts/Captures.ts"

const issuer = "https://runhook.example.com"

const prove = (ref: ExecutionRef) => Effect.flatMap(Evidence, (evidence) => evidence.prove(ref, issuer))

const keySet = Effect.flatMap(Evidence, (evidence) => evidence.keySet)

const partOf = (text: string | undefined) => JSON.parse(Buffer.from(text ?? "", "base64url").toString())

/** What evidence states, and the id of the key of the set that has signed it. */
const opened = Effect.fnUntraced(function* (evidence: string) {
  const [head, body, signature = ""] = evidence.split(".")
  const { kid } = partOf(head)
  const { keys } = JSON.parse(yield* keySet)
  const key = createPublicKey({
    format: "jwk",
    key: keys.find((each: { readonly kid: string }) => each.kid === kid)
  })
  assert.isTrue(verify(null, Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url")))
  const manifest: Manifest = partOf(body)
  return { kid, manifest }
})

/** As a process of the same service that has this ring. */
const under = (ring: KeyRing) =>
  Layer.fresh(Evidence.layer).pipe(Layer.provide(Layer.succeed(ServiceKeys, ring)))

const password = { type: "object", properties: { password: { type: "string", writeOnly: true } } }

/** A finished execution with a file, and the tenant whose it is. */
const makeFinishedExecution = Effect.fnUntraced(function* () {
  const tenant = yield* makeTenant({ version: { paramsSchema: password } })
  const runner = yield* makeRunner(tenant)
  const { execution, held } = yield* makeStartedRun(tenant, runner, { params: { password: "1234" } })
  const artifacts = yield* Artifacts
  const { artifact, upload: target } = yield* artifacts.register({ ...held, capture: newCapture() })
  yield* upload(target.url)
  yield* artifacts.complete({ ...held, artifactId: artifact.id })
  const outcome = { _tag: "Completed", result: StoredJson.of({ pages: 2 }) } as const
  yield* TestClock.setTime(second(60).epochMilliseconds)
  yield* (yield* Runs).finish({ ...held, outcome })
  return { artifact, execution, tenant }
})

describe("Evidence", () => {
  test("states what ran: its files, its history, its versions, and who asked for it", function* () {
    const { artifact, execution, tenant } = yield* makeFinishedExecution()

    const { kid, manifest } = yield* opened(yield* prove(execution))

    const { history, ...stated } = manifest
    const sha256 = (text: string) => hash("sha256", text)
    assert.strictEqual(kid, oldRing[0].evidence.kid)
    assert.deepStrictEqual(stated, {
      type: "runhook.execution",
      issuer,
      account_id: execution.accountId,
      execution_id: execution.id,
      status: "completed",
      reference: execution.reference,
      requested_by: { key_id: tenant.caller.id, name: "Back office", request_id: "req_test" },
      rerun_of: null,
      schedule_id: null,
      task: {
        id: tenant.task.id,
        slug: "fetch-invoices",
        version_id: tenant.version.id,
        version_number: 1
      },
      agent: { id: tenant.agent.id, name: "Clerk" },
      attempts: 1,
      created_at: "2030-01-01T00:00:00.000Z",
      started_at: "2030-01-01T00:00:00.000Z",
      finished_at: "2030-01-01T00:01:00.000Z",
      params_sha256: sha256('{"password":"[secret]"}'),
      result_sha256: sha256('{"pages":2}'),
      files: [
        {
          id: artifact.id,
          kind: "download",
          file_name: "invoice.txt",
          content_type: "text/plain",
          size_bytes: artifact.sizeBytes,
          sha256: artifact.sha256
        }
      ],
      files_complete: false
    })
    assert.deepStrictEqual(
      history.map(({ attempt, sequence, status, type }) => [sequence, type, status, attempt]),
      [
        [1, "created", "queued", 0],
        [2, "claimed", "queued", 0],
        [3, "started", "running", 1],
        [4, "completed", "completed", 1]
      ]
    )
  })

  test("is the same each time, but for saying when no more files can come", function* () {
    const { execution } = yield* makeFinishedExecution()
    const first = yield* prove(execution)

    yield* TestClock.adjust("5 minutes")
    const again = yield* prove(execution)
    yield* TestClock.adjust("1 millis")
    const last = yield* prove(execution)

    assert.strictEqual(again, first)
    assert.isTrue((yield* opened(last)).manifest.files_complete)
  })

  test("is refused before the end, and of the execution of another account", function* () {
    const tenant = yield* makeTenant()
    const { caller } = yield* makeTenant()
    const execution = yield* makeExecution(tenant)

    const early = yield* Effect.flip(prove(execution))
    const foreign = yield* Effect.flip(prove({ ...execution, accountId: caller.accountId }))

    assert.deepInclude(early, { _tag: "ExecutionNotEnded", status: "queued" })
    assert.strictEqual(foreign._tag, "ExecutionNotFound")
  })

  test("is verified for good: by the public key of a secret key that was replaced and removed", function* () {
    const { execution } = yield* makeFinishedExecution()
    const [newest, oldest] = [newRing[0], oldRing[0]]
    const before = yield* prove(execution)

    // While the new key is brought in, it comes last.
    const early = yield* keySet.pipe(Effect.provide(under([oldest, newest])))
    const found = yield* Effect.gen(function* () {
      return [yield* opened(before), yield* opened(yield* prove(execution))]
    }).pipe(Effect.provide(under([newest])))

    assert.include(early, newest.evidence.kid)
    assert.deepStrictEqual(
      found.map(({ kid }) => kid),
      [oldest.evidence.kid, newest.evidence.kid]
    )
  })

  test("states the newest 2,000 changes, whose numbers tell that there were more", function* () {
    const executions = yield* Executions
    const execution = yield* makeExecution(yield* makeTenant())
    for (let count = 0; count < 2_000; count++)
      yield* executions.reschedule(execution, { priority: (count + 1) % 2 })
    yield* executions.stop({ ...execution, to: "aborted", reason: null })

    const { manifest } = yield* opened(yield* prove(execution))

    const numbers = manifest.history.map(({ sequence }) => sequence)
    assert.deepStrictEqual([numbers.length, numbers[0], numbers.at(-1)], [2_000, 3, 2_002])
  })
})
