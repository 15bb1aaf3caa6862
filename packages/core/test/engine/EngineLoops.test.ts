/** What a process does by itself once it is given the loops of the engine. */
import { readdirSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { newDelivery } from "@runhook/core/deliveries/Delivery"
import { allDead } from "@runhook/core/replays/ReplayJob"
import { EventId, newId } from "@runhook/core/shared/Ids"
import * as Engine from "@runhook/core/Engine"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { Signals } from "@runhook/core/signals/Signals"
import { ServiceKeys } from "@runhook/core/Settings"
import { open } from "@runhook/core/signing/SecretBox"
import { signingSecretPurpose } from "@runhook/core/keys/ApiKeys"
import { Cancels } from "@runhook/core/cancels/Cancels"
import { Replays } from "@runhook/core/replays/Replays"
import { Usage } from "@runhook/core/usage/Usage"
import { anyExecution, second } from "@runhook/store-testing/Fixtures"
import { anyDelivery } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { newRing } from "@runhook/test-support/engine/Engine"
import { test } from "@runhook/test-support/engine/Test"
import { current, makeExecution, makeTenant, type Tenant } from "@runhook/test-support/engine/Tenant"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { makeAbandonedArtifact, watchedStorage } from "../artifacts/Captures.ts"

/** Short, since sweeps look every few seconds all that time. */
const retention = { delivered: Duration.minutes(10), dead: Duration.minutes(30) }

/** Sends webhooks in vain; each is dead after that. */
const makeDeadDelivery = Effect.fnUntraced(function* ({ caller }: Tenant) {
  const [at, store] = [yield* DateTime.now, yield* DeliveryStore]
  const { accountId, id: apiKeyId } = caller
  const origin = { executionId: null, revision: null, type: "webhook.test", reference: null } as const
  const sent = {
    id: yield* newId(EventId),
    url: "https://hooks.example.com/",
    requestId: "req_1",
    body: "{}"
  }
  yield* store.enqueue({ ...newDelivery({ accountId, apiKeyId, ...origin, ...sent }, at), expiresAt: at })
  yield* store.claimDue({ room: roomFor(1), lease: Duration.seconds(45), at })
})

const deliveriesOf = ({ caller }: Tenant) =>
  DeliveryStore.use((store) => store.list(caller.accountId, anyDelivery, { after: null, limit: 10 })).pipe(
    Effect.map(({ items }) => items)
  )

describe("Engine.loops", () => {
  test("forgets deliveries whose time is over", function* () {
    const tenant = yield* makeTenant()
    yield* makeDeadDelivery(tenant)
    yield* Layer.build(Engine.loops({ retention }))

    yield* TestClock.adjust("29 minutes")
    const before = yield* deliveriesOf(tenant)
    yield* TestClock.adjust("61 minutes")

    assert.lengthOf(before, 1)
    assert.deepStrictEqual(yield* deliveriesOf(tenant), [])
  })

  test("forgets artifacts that were never completed, and removes what came of them", function* () {
    const [store, storage] = [yield* ArtifactStore, yield* ArtifactStorage]
    const artifact = yield* makeAbandonedArtifact()
    const bytes = { ...artifact, key: artifact.storageKey }
    const watched = yield* watchedStorage(0)
    yield* Layer.build(Layer.fresh(Engine.loops({ retention })).pipe(Layer.provide(watched.layer)))

    yield* TestClock.adjust("59 minutes")
    yield* storage.verify(bytes)
    yield* TestClock.adjust("62 minutes")
    yield* watched.nextRemoved

    const errors = [yield* Effect.flip(store.find(artifact)), yield* Effect.flip(storage.verify(bytes))]
    assert.strictEqual(errors[0]?._tag, "ArtifactNotFound")
    assert.deepInclude(errors[1], { _tag: "UploadMismatch", reason: "not_uploaded" })
  })

  test("ends executions that have run out of time", function* () {
    const tenant = yield* makeTenant()
    const execution = yield* makeExecution(tenant, { expiresAt: second(60) })
    yield* Layer.build(Engine.loops({ retention }))

    yield* TestClock.adjust("2 minutes")

    assert.strictEqual((yield* current(execution)).status, "cancelled")
  })

  test("carries out replays", function* () {
    const tenant = yield* makeTenant()
    yield* makeDeadDelivery(tenant)
    yield* Layer.build(Engine.loops({ retention }))
    const { accountId } = tenant.caller
    const replays = yield* Replays
    const { id } = yield* replays.begin(accountId, allDead)

    yield* TestClock.adjust("10 seconds")

    assert.deepInclude(yield* replays.get({ accountId, apiKeyId: null, id }), {
      status: "completed",
      replayed: 1
    })
  })

  test("carries out cancels, tells who follows what they cancel, and counts it", function* () {
    const tenant = yield* makeTenant()
    const execution = yield* makeExecution(tenant)
    yield* Layer.build(Engine.loops({ retention }))
    const { accountId } = tenant.caller
    const woken = yield* (yield* Signals).subscribe([`execution:${execution.id}`])
    const told = yield* Effect.forkChild(woken, { startImmediately: true })
    const cancels = yield* Cancels
    const { job } = yield* cancels.begin({
      accountId,
      apiKeyId: null,
      idempotencyKey: null,
      endsAs: "aborted",
      reason: null,
      filter: anyExecution,
      scope: { taskIds: null, agentIds: null }
    })

    yield* TestClock.adjust("10 seconds")

    const ended = yield* cancels.get({ accountId, apiKeyId: null, id: job.id })
    assert.deepInclude(ended, { status: "completed", cancelled: 1, failed: 0 })
    assert.strictEqual((yield* current(execution)).status, "aborted")
    const hours = { by: "hour", group: "none", apiKeyId: null, taskId: null, from: null, to: null } as const
    const { totals } = yield* (yield* Usage).counted({ ...hours, accountId })
    assert.deepInclude(totals[0]?.counts, { created: 1, aborted: 1 })
    assert.isDefined(told.pollUnsafe())
  })

  test("seals signing secrets again under the newest secret key", function* () {
    const { caller } = yield* makeTenant()
    yield* Layer.build(
      Layer.fresh(Engine.loops({ retention })).pipe(Layer.provide(Layer.succeed(ServiceKeys, newRing)))
    )

    yield* TestClock.adjust("1 second")

    const secrets = yield* ApiKeyStore.use((store) =>
      store.signingSecrets({ accountId: caller.accountId, id: caller.id, at: second(1) })
    )
    assert.deepStrictEqual(
      secrets.map(({ ciphertext, id }) =>
        Result.isSuccess(open([newRing[0]], { purpose: signingSecretPurpose, id }, ciphertext))
      ),
      [true]
    )
  })
})

describe("Engine", () => {
  const source = (file: string) => readFileSync(new URL(`../../src/${file}`, import.meta.url), "utf8")

  const nouns = readdirSync(new URL("../../src", import.meta.url), { encoding: "utf8", recursive: true })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ noun: basename(file, ".ts"), text: source(file) }))

  /** Layers that loop or pass by themselves, by what is written where they are made. */
  const loops = nouns.flatMap(({ noun, text }) =>
    [...text.matchAll(/(?:export const|static readonly) (layer[A-Z]\w*)/g)].map(
      ([, layer]) => `${noun}.${layer}`
    )
  )

  it("knows what loops", () => {
    assert.includeMembers(loops, ["Pruning.layerLoop", "Sweeps.layerLoop"])
  })

  it.each(loops)("has %s on its list", (loop) => {
    assert.include(source("Engine.ts"), loop)
  })
})
