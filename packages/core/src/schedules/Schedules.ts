/** What callers and operators do with schedules. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  scheduleCreated,
  scheduleRemoved,
  scheduleTriggered,
  scheduleUpdated
} from "../audit/ScheduleEvents.ts"
import type { CreateExecution } from "../executions/create/CreateExecution.ts"
import { type AccountId, instantOf, makeIds, ScheduleId } from "../shared/Ids.ts"
import type { JsonObject } from "../shared/json/Json.ts"
import { type ApiKeyRecord, isCapable } from "../keys/ApiKeyRecord.ts"
import { checkScope, type Scoped } from "../keys/KeyScope.ts"
import { InvalidField, MissingCapability } from "../shared/Refusals.ts"
import {
  changeSchedule,
  isRetimed,
  newSchedule,
  type NewSchedule,
  type Schedule,
  type ScheduleChange,
  stillAwaiting
} from "./Schedule.ts"
import { requestBytesMax, requestIn, storedRequest, workIn } from "./ScheduledRequest.ts"
import type { TargetRefused } from "../shared/target/TargetRefused.ts"
import { checkTiming } from "./TimingRules.ts"
import { type ScheduleRef, ScheduleStore } from "./ScheduleStore.ts"
import { Signals } from "../signals/Signals.ts"
import { changeOf, makeAnnounce } from "../signals/ChangeSignals.ts"
import { ScheduleLimits } from "../Settings.ts"
import { Admission, type Refusal } from "../executions/create/Admission.ts"
import { audited, intervention } from "../audit/Audited.ts"
import { makeScheduledCreates } from "./ScheduledCreates.ts"
import { decodeRefusal } from "./ScheduleRefusals.ts"
import { useCase } from "../engine/UseCase.ts"

/** An execution of the schedule is unfinished, and its policy lets no other one begin. */
export class ScheduleBusy extends Schema.TaggedError<ScheduleBusy>()("ScheduleBusy", { id: ScheduleId }) {
  override get message() {
    return `An execution of schedule ${this.id} is unfinished, and its overlap policy is "skip"`
  }
}

/** What a caller gives of a schedule. */
export type WantedSchedule = Omit<NewSchedule, "accountId" | "apiKeyId" | "createdAt" | "id" | "request"> & {
  readonly request: CreateExecution
}

/** What a caller changes about a schedule. */
export type WantedChange = Omit<ScheduleChange, "apiKeyId" | "request"> & {
  readonly request?: CreateExecution | undefined
}

/** Names a schedule for a change. One whose executions are out of scope is refused. */
export interface ChangedSchedule extends ScheduleRef, Scoped {}

/** Tries of a trigger between which somebody else fires or changes the schedule. */
const triesMax = 5

export class Schedules extends Context.Service<Schedules>()("@runhook/core/schedules/Schedules", {
  make: Effect.gen(function* () {
    const admission = yield* Admission
    const { perAccount, shortest } = yield* ScheduleLimits
    const signals = yield* Signals
    const store = yield* ScheduleStore
    const announce = yield* makeAnnounce
    const firing = yield* makeScheduledCreates
    const newId = yield* makeIds

    const changed = (accountId: AccountId) =>
      signals.notify(["schedules", changeOf(accountId, "schedule", null), changeOf(accountId, "audit", null)])

    /** Checks what can be checked before it is due. What it names may change until then. */
    const admit = Effect.fnUntraced(function* (caller: ApiKeyRecord, request: CreateExecution) {
      if (!isCapable(caller, "executions:write")) {
        return yield* new MissingCapability({ capability: "executions:write" })
      }
      for (const [field, moment] of [
        ["scheduled_at", request.scheduledAt],
        ["expires_at", request.expiresAt]
      ] as const) {
        const rule = "is a moment of one execution, and a schedule makes many"
        if (moment !== null) return yield* new InvalidField({ path: ["execution", field], rule })
      }
      const { secrets, task } = yield* Effect.mapError(admission.admit(caller, request), inExecution)
      const stored = storedRequest(request, task.id)
      if (stored.bytes > requestBytesMax) {
        const rule = `must be at most ${requestBytesMax} bytes of JSON, is ${stored.bytes}`
        return yield* new InvalidField({ path: ["execution"], rule })
      }
      const [secret] = secrets
      if (secret !== undefined) {
        const rule = "is secret by the schema of the task, and a schedule keeps no secrets"
        return yield* new InvalidField({ path: ["execution", "params", ...secret[0].map(String)], rule })
      }
      return stored
    })

    /** Adds a schedule, which creates executions in the name of the key. */
    const create = useCase("Schedules.create")(function* (
      caller: ApiKeyRecord,
      { request, ...wanted }: WantedSchedule
    ) {
      const id = yield* newId(ScheduleId)
      const at = instantOf(id)
      const { accountId, id: apiKeyId } = caller
      yield* Effect.fromResult(checkTiming({ ...wanted, anchorAt: at }, { at, shortest }))
      const stored = yield* admit(caller, request)
      const schedule = newSchedule({ ...wanted, id, accountId, apiKeyId, request: stored, createdAt: at })
      yield* store.create(schedule, { limit: perAccount, audit: yield* audited(scheduleCreated) })
      yield* changed(accountId)
      return schedule
    })

    /** Changes a schedule. If a key takes it over, that key must be allowed to create what the schedule asks for. */
    const change = useCase("Schedules.change")(function* (
      ref: ChangedSchedule,
      { request, ...wanted }: WantedChange,
      takenOverBy: ApiKeyRecord | null
    ) {
      const at = yield* DateTime.now
      const found = yield* store.get(ref)
      yield* Effect.fromResult(inScope(ref, found))
      const isAdmitted = request !== undefined || takenOverBy !== null
      const stored = isAdmitted
        ? yield* admit(takenOverBy ?? (yield* firing.keyOf(found)), request ?? requestIn(found.request))
        : undefined
      const given: ScheduleChange = {
        ...wanted,
        ...(stored && { request: stored }),
        ...(takenOverBy && { apiKeyId: takenOverBy.id })
      }
      const schedule = yield* store.change(ref, {
        change: (before) =>
          Result.gen(function* () {
            yield* inScope(ref, before)
            if (isRetimed(before, given)) yield* checkTiming({ ...before, ...given }, { at, shortest })
            return changeSchedule(before, given, at)
          }),
        audit: yield* audited(scheduleUpdated)
      })
      yield* changed(ref.accountId)
      return schedule
    })

    const remove = useCase("Schedules.remove")(function* (ref: ChangedSchedule) {
      const audit = yield* audited(scheduleRemoved)
      yield* store.remove(ref, { audit, check: (found) => inScope(ref, found) })
      yield* changed(ref.accountId)
    })

    /**
     * Creates an execution of the schedule now, by its overlap policy, also while it is paused. Its due times stay. A
     * key that does so must be allowed to create it itself.
     */
    const trigger = useCase("Schedules.trigger")(function* (
      ref: ChangedSchedule,
      {
        caller,
        params,
        requestId
      }: {
        readonly caller: ApiKeyRecord | null
        readonly requestId: string
        /** In place of those of the schedule. */
        readonly params?: JsonObject | undefined
      }
    ) {
      const audit = yield* intervention(scheduleTriggered)
      for (let tries = 0; tries < triesMax; tries++) {
        const schedule = yield* store.get(ref)
        yield* Effect.fromResult(inScope(ref, schedule))
        const request = { ...requestIn(schedule.request), ...(params && { params }) }
        if (caller !== null) yield* admit(caller, request)
        const wanted = yield* firing.wanted(schedule, { request, requestId })
        const [fired] = yield* store.fire([
          { schedule, at: yield* DateTime.now, wanted, becomes: () => stillAwaiting(schedule), audit }
        ])
        if (fired === undefined) continue
        const { came, changes } = fired
        if (came.outcome === "refused") return yield* Effect.fail(decodeRefusal(came.error))
        if (came.outcome !== "created") return yield* new ScheduleBusy({ id: ref.id })
        yield* announce(changes)
        yield* changed(ref.accountId)
        return wanted.execution
      }
      return yield* Effect.die(
        new Error(`Schedule ${ref.id} changed ${triesMax} times while it was triggered`)
      )
    })

    const get = store.get
    const list = store.list

    return { create, get, list, change, remove, trigger }
  })
}) {
  static readonly layer = Layer.effect(Schedules, Schedules.make)
}

const inScope = (of: Scoped, { request }: Schedule) => checkScope(of, workIn(request))

/** The fields of the request are those of a part of the body. */
const inExecution = (refusal: Refusal): Exclude<Refusal, TargetRefused> => {
  switch (refusal._tag) {
    case "InvalidField":
      return new InvalidField({ path: ["execution", ...refusal.path], rule: refusal.rule })
    case "TargetRefused":
      return new InvalidField({ path: ["execution", "callback_url"], rule: refusal.message })
    default:
      return refusal
  }
}
