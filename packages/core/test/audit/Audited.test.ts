/** Which verbs the audit log tells of, and on whose behalf. That an entry comes with its change is up to the stores. */
import { assert, describe } from "@effect/vitest"
import { type Actor, type ActorKind, CurrentActor, theService } from "@runhook/core/audit/Actor"
import { allDead } from "@runhook/core/replays/ReplayJob"
import { SecretKeyRotation } from "@runhook/core/keys/sealing/SecretKeyRotation"
import { AuditStore } from "@runhook/core/audit/AuditStore"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ServiceKeys } from "@runhook/core/Settings"
import { Accounts } from "@runhook/core/accounts/Accounts"
import { Agents } from "@runhook/core/catalog/Agents"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { PersonSessions } from "@runhook/core/people/PersonSessions"
import { CurlCommands } from "@runhook/core/deliveries/CurlCommands"
import { Deliveries } from "@runhook/core/deliveries/Deliveries"
import { Executions } from "@runhook/core/executions/Executions"
import { Inputs } from "@runhook/core/runs/Inputs"
import { Replays } from "@runhook/core/replays/Replays"
import { RunnerKeys } from "@runhook/core/keys/RunnerKeys"
import { RunnerSessions } from "@runhook/core/runs/sessions/RunnerSessions"
import { Runs } from "@runhook/core/runs/Runs"
import { Tasks } from "@runhook/core/catalog/Tasks"
import { type engine, newRing } from "@runhook/test-support/engine/Engine"
import { test } from "@runhook/test-support/engine/Test"
import { makeRunner, makeStartedRun, newQuestion } from "@runhook/test-support/engine/Runner"
import {
  makeAgent,
  makeExecution,
  makeTask,
  makeTenant,
  makeVersion,
  newKey,
  type Tenant
} from "@runhook/test-support/engine/Tenant"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

type Engine = Layer.Success<typeof engine>

const somebody = (kind: ActorKind): Actor => ({ ...theService, kind, name: "Jana", requestId: "req_audited" })

/** Everything that the log tells of an account, the oldest first. */
const entriesOf = Effect.fnUntraced(function* ({ caller }: Pick<Tenant, "caller">) {
  const any = { kind: null, actor: null, subjectId: null, text: null, from: null, to: null }
  const { items } = yield* (yield* AuditStore).list(caller.accountId, any, { after: null, limit: 200 })
  return items.toReversed()
})

/** The actions that are told of what somebody of this kind does. */
const actionsOf = Effect.fnUntraced(function* (
  kind: ActorKind,
  act: (tenant: Tenant) => Effect.Effect<unknown, unknown, Engine>
) {
  const tenant = yield* makeTenant()
  yield* Effect.provideService(act(tenant), CurrentActor, somebody(kind))
  const entries = yield* entriesOf(tenant)
  return entries.filter(({ actor }) => actor.requestId === "req_audited").map(({ action }) => action)
})

const makeDelivery = Effect.fnUntraced(function* ({ caller }: Tenant) {
  const { accountId, id: apiKeyId } = caller
  const callbackUrl = "https://hooks.example.com/in"
  const deliveries = yield* Deliveries
  return (yield* deliveries.test({ accountId, apiKeyId, callbackUrl, requestId: "req_test" })).delivery
})

const keys = Effect.fnUntraced(function* ({ caller }: Tenant) {
  const apiKeys = yield* ApiKeys
  const overlap = Duration.hours(1)
  const { record } = yield* apiKeys.create(newKey(caller, { maxLive: 999_999 }))
  yield* apiKeys.update(record, { name: "Front office" })
  yield* apiKeys.rotate(record, overlap)
  yield* apiKeys.rotateSigningSecret(record, { mode: "staged", overlap })
  yield* apiKeys.revoke(record)
})

const runners = Effect.fnUntraced(function* (tenant: Tenant) {
  const { accountId } = tenant.caller
  const { record } = yield* (yield* RunnerKeys).create({ accountId, name: "Cellar", agentIds: null })
  yield* (yield* RunnerKeys).revoke(record)
  const { sessionId } = yield* makeRunner(tenant)
  yield* (yield* RunnerSessions).drain({ accountId, id: sessionId })
})

const agents = Effect.fnUntraced(function* ({ caller }: Tenant) {
  const agent = yield* makeAgent(caller)
  yield* (yield* Agents).update(agent, { capacity: 7 })
  yield* (yield* Agents).remove(agent)
})

const tasks = Effect.fnUntraced(function* ({ caller }: Tenant) {
  const { update, moveTag, removeTag, setCurrent } = yield* Tasks
  const task = yield* makeTask(caller, { slug: "another" })
  const ref = { accountId: caller.accountId, taskId: task.id }
  yield* update(ref, { name: "Another" })
  const { id: versionId } = yield* makeVersion(task, { makeCurrent: false })
  yield* moveTag({ ...ref, name: "stable", versionId })
  yield* removeTag({ ...ref, name: "stable" })
  yield* setCurrent({ ...ref, versionId })
})

const executions = Effect.fnUntraced(function* (tenant: Tenant) {
  const { release, remove, rerun, reschedule, stop } = yield* Executions
  const held = yield* makeExecution(tenant, { isHeld: true })
  yield* release(held)
  yield* reschedule(held, { priority: 3 })
  yield* stop({ ...held, to: "cancelled", reason: null })
  const { execution } = yield* rerun({
    ...held,
    caller: tenant.caller,
    version: "same",
    params: undefined,
    idempotencyKey: undefined,
    requestId: "req_test"
  })
  yield* stop({ ...execution, to: "aborted", reason: null })
  yield* remove(execution)
  const run = yield* makeStartedRun(tenant, yield* makeRunner(tenant))
  const { input } = yield* (yield* Runs).ask({ ...run.held, question: newQuestion() })
  yield* (yield* Inputs).answer({ ...run.execution, inputId: input.id, value: "1234" })
})

const deliveries = Effect.fnUntraced(function* (tenant: Tenant) {
  const { replay, tryNow } = yield* Deliveries
  const delivery = yield* makeDelivery(tenant)
  yield* tryNow(delivery)
  yield* (yield* CurlCommands).make(delivery.accountId, delivery.id)
  // Nobody has sent it in its time.
  const at = delivery.expiresAt
  yield* (yield* DeliveryStore).claimDue({ room: roomFor(9), lease: Duration.seconds(45), at })
  yield* replay(delivery)
})

const replays = Effect.fnUntraced(function* ({ caller }: Tenant) {
  const { accountId } = caller
  const { id } = yield* (yield* Replays).begin(accountId, allDead)
  yield* (yield* Replays).cancel({ accountId, apiKeyId: null, id })
})

const people = Effect.fnUntraced(function* ({ caller }: Tenant) {
  const sessions = yield* PersonSessions
  const { accountId } = caller
  const [one, other] = yield* Effect.replicateEffect(
    sessions.makeLink({ accountId, role: "admin", name: "Ada", validFor: Duration.minutes(5) }),
    2
  )
  if (one === undefined || other === undefined) return
  yield* sessions.withdrawLink(one.link)
  const signedIn = yield* sessions.redeem({ token: other.token, present: null })
  yield* sessions.end(signedIn.sessions[0])
})

const daily = [
  "created",
  "released",
  "rescheduled",
  "stopped",
  "created",
  "stopped",
  "removed",
  "created",
  "input_answered"
]

describe("the audit log tells of", () => {
  test.each([
    [
      "keys, and the limits that they raise",
      keys,
      [
        "account.updated",
        "key.created",
        "key.updated",
        "key.rotated",
        "signing_secret.rotated",
        "key.revoked"
      ]
    ],
    ["runners", runners, ["runner_key.created", "runner_key.revoked", "runner.drained"]],
    ["agents", agents, ["agent.created", "agent.updated", "agent.removed"]],
    [
      "tasks",
      tasks,
      [
        "task.created",
        "task.updated",
        "task.version_published",
        "task.tag_moved",
        "task.tag_removed",
        "task.current_version_set"
      ]
    ],
    ["executions", executions, daily.map((verb) => `execution.${verb}`)],
    [
      "deliveries",
      deliveries,
      ["delivery.test_queued", "delivery.tried", "delivery.copied_as_curl", "delivery.replayed"]
    ],
    ["replays", replays, ["replay.begun", "replay.cancelled"]],
    [
      "people",
      people,
      ["session.link_made", "session.link_made", "session.link_withdrawn", "session.begun", "session.ended"]
    ]
  ] as const)("what an operator does about %s", function* ([, act, actions]) {
    assert.deepStrictEqual(yield* actionsOf("operator", act), [...actions])
  })

  test.each([
    // No key of an integration may remove any.
    ["executions", executions, ["execution.removed"]],
    ["deliveries", deliveries, ["delivery.tried", "delivery.copied_as_curl", "delivery.replayed"]],
    ["replays", replays, ["replay.begun", "replay.cancelled"]]
  ] as const)("what a key does about %s, unless it is its daily work", function* ([, act, actions]) {
    assert.deepStrictEqual(yield* actionsOf("key", act), [...actions])
  })

  test("accounts", function* () {
    const accounts = yield* Accounts
    const { id } = yield* accounts.create("Acme")
    yield* accounts.update(id, { name: "Acme Ltd" })
    yield* accounts.remove(id)
    const any = { kind: null, actor: null, subjectId: null, text: null, from: null, to: null }

    const { items } = yield* (yield* AuditStore).list(id, any, { after: null, limit: 9 })

    assert.deepStrictEqual(
      items.map(({ action }) => action),
      ["account.removed", "account.updated", "account.created"]
    )
  })

  test("what the service does by itself, as such", function* () {
    const tenant = yield* makeTenant()
    const rotation = SecretKeyRotation.layer.pipe(Layer.provide(Layer.succeed(ServiceKeys, newRing)))

    yield* SecretKeyRotation.use(({ pass }) => pass).pipe(Effect.provide(Layer.fresh(rotation)))

    const entry = (yield* entriesOf(tenant)).at(-1)
    assert.deepStrictEqual([entry?.action, entry?.actor], ["signing_secret.resealed", theService])
  })
})
