/** What runners do: open a session, take work, keep it, ask, finish it. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type AccountId, InputId, makeIds, SessionId } from "../shared/Ids.ts"
import type { Json } from "../shared/json/Json.ts"
import { jsonBytes, valueBytesMax } from "../shared/json/JsonBytes.ts"
import { StoredJson } from "../shared/json/StoredJson.ts"
import { mayServe, type RunnerKeyRecord } from "../keys/RunnerKeyRecord.ts"
import { InvalidField, ScopeViolation } from "../shared/Refusals.ts"
import { checkpointRefusal } from "./Checkpoint.ts"
import type * as Finishing from "./EndMoves.ts"
import * as InputMoves from "./InputMoves.ts"
import type { InputRequest } from "./InputRequest.ts"
import type { SaidLine } from "./LogLine.ts"
import type { Run } from "./Run.ts"
import { presentMax, type RunnerSession } from "./sessions/RunnerSession.ts"
import { HistoryStore } from "../executions/history/HistoryStore.ts"
import { ParamsValidator } from "../executions/params/ParamsValidator.ts"
import { RunStore } from "./RunStore.ts"
import { Signals } from "../signals/Signals.ts"
import { makeAnnounce, changeOf } from "../signals/ChangeSignals.ts"
import { KnownWork } from "./claim/KnownWork.ts"
import { RunnerTimings } from "../Settings.ts"
import { outcomeFingerprint } from "../signing/RequestFingerprint.ts"
import { makeResultChecks } from "./ResultChecks.ts"
import { type HeldRef, makeRunnerScope } from "./RunnerScope.ts"
import { useCase } from "../engine/UseCase.ts"

/** How a runner process introduces itself. */
export type Introduction = Pick<
  RunnerSession,
  "agentIds" | "capacity" | "instanceId" | "labels" | "runnerName" | "version"
>

/** What a runner asks of its caller. */
export type Question = Pick<
  InputRequest,
  "defaultValue" | "key" | "mode" | "onTimeout" | "prompt" | "schema"
> & { readonly expiresIn: Duration.Duration }

export class Runs extends Context.Service<Runs>()("@runhook/core/runs/Runs", {
  make: Effect.gen(function* () {
    const known = yield* KnownWork
    const history = yield* HistoryStore
    const store = yield* RunStore
    const timings = yield* RunnerTimings
    const validator = yield* ParamsValidator
    const signals = yield* Signals
    const announce = yield* makeAnnounce
    const checkResult = yield* makeResultChecks
    const newId = yield* makeIds
    const requireInScope = yield* makeRunnerScope

    /** All questions and answers of an execution are read with it, so their size is limited. */
    const checkRoomToAsk = Effect.fnUntraced(function* ({ inputs }: Run) {
      const told = inputs.map(({ prompt, schema, value }) => [prompt, schema, value])
      if (jsonBytes(told) > valueBytesMax) {
        const rule = `is a question too many: those of an execution and their answers may have ${valueBytesMax} bytes`
        return yield* new InvalidField({ path: ["input_key"], rule })
      }
    })

    /** A question is worth the cost of its schema only if nothing prevents it. */
    const checkQuestion = Effect.fnUntraced(function* (accountId: AccountId, input: InputRequest) {
      const given = { accountId, schema: input.schema }
      yield* validator.checkValueSchema(given)
      if (input.onTimeout === "default") {
        yield* validator.validate({ ...given, key: input.id, what: "default", value: input.defaultValue })
      }
    })

    /** Agents may have come online, or gone offline. */
    const tellPresence = (accountId: AccountId, id: SessionId) =>
      signals.notify([`session:${id}`, changeOf(accountId, "agent", null)])

    /** Opens a session, or finds the one of the same instance, with the work it still holds. */
    const open = useCase("Runs.open")(function* (key: RunnerKeyRecord, introduction: Introduction) {
      const forbidden = introduction.agentIds?.find((id) => !mayServe(key, id))
      if (forbidden !== undefined) return yield* new ScopeViolation({ field: "agent_id", id: forbidden })
      const at = yield* DateTime.now
      const session: RunnerSession = {
        ...introduction,
        agentIds: introduction.agentIds ?? key.agentIds,
        id: yield* newId(SessionId),
        accountId: key.accountId,
        runnerKeyId: key.id,
        isDraining: false,
        drainRequestedAt: null,
        createdAt: at,
        lastSeenAt: at
      }
      const opened = yield* store.openSession({ session, presentMax })
      yield* tellPresence(key.accountId, opened.session.id)
      return opened
    })

    /** Closes the session. Claimed work that has not started goes back at once. */
    const close = useCase("Runs.close")(function* (key: RunnerKeyRecord, id: SessionId) {
      const { accountId } = key
      yield* store.getSession({ accountId, runnerKeyId: key.id, id })
      yield* announce(yield* store.closeSession({ accountId, id, at: yield* DateTime.now }))
      yield* tellPresence(accountId, id)
    })

    /** The runner starts the work. */
    const start = useCase("Runs.start")(function* (ref: HeldRef) {
      const change = yield* store.start({
        ...(yield* requireInScope(ref)),
        lease: timings.lease,
        at: yield* DateTime.now
      })
      yield* known.note(change.run.execution)
      yield* announce([change], "runner")
      return change
    })

    /** The runner ends its attempt. Completed work must have the result that its task version promises, of at most `valueBytesMax`. */
    const finish = useCase("Runs.finish")(function* ({
      outcome,
      ...ref
    }: HeldRef & { readonly outcome: Finishing.Outcome }) {
      const finishing = {
        ...(yield* requireInScope(ref)),
        outcome,
        fingerprint: outcomeFingerprint(outcome),
        at: yield* DateTime.now
      }
      yield* checkResult(finishing)
      const change = yield* Effect.ensuring(
        store.finish({ ...finishing, at: yield* DateTime.now }),
        known.forget(finishing.id)
      )
      yield* announce([change], "runner")
      return change
    })

    /** The runner keeps how far it came, for the next attempt. */
    const keepCheckpoint = useCase("Runs.keepCheckpoint")(function* ({
      value,
      ...ref
    }: HeldRef & { readonly value: Json }) {
      const checkpoint = StoredJson.of(value)
      const held = yield* requireInScope(ref)
      const refusal = checkpointRefusal(checkpoint)
      if (refusal !== undefined) return yield* refusal
      yield* store.keepCheckpoint({ ...held, checkpoint, at: yield* DateTime.now })
    })

    /** The runner sends the last lines of its log, before it ends its attempt. */
    const log = useCase("Runs.log")(function* ({
      lines,
      ...ref
    }: HeldRef & { readonly lines: ReadonlyArray<SaidLine> }) {
      const { accountId, epoch, id: executionId } = yield* requireInScope(ref)
      const said = [{ executionId, epoch, lines }]
      yield* history.log({ accountId, sessionId: null, said, at: yield* DateTime.now })
    })

    /** The runner gives back work that it has not started. */
    const giveBack = useCase("Runs.giveBack")(function* ({
      delay,
      ...ref
    }: HeldRef & { readonly delay: Duration.Duration }) {
      const change = yield* store.giveBack({
        ...(yield* requireInScope(ref)),
        delay,
        at: yield* DateTime.now
      })
      yield* known.forget(ref.id)
      yield* announce([change], "runner")
      return change
    })

    /** The runner asks its caller for a value. */
    const ask = useCase("Runs.ask")(function* ({
      question,
      ...ref
    }: HeldRef & { readonly question: Question }) {
      const held = yield* requireInScope(ref)
      const { expiresIn, ...asked } = question
      const id = yield* newId(InputId)
      const askedAt = (at: DateTime.Utc) => ({
        ...held,
        at,
        input: {
          ...asked,
          id,
          askedAt: at,
          expiresAt: DateTime.addDuration(at, expiresIn),
          answeredAt: null,
          value: null
        }
      })
      const asking = askedAt(yield* DateTime.now)
      const run = yield* store.get(held)
      const seen = yield* Effect.fromResult(InputMoves.ask(run, asking))
      if (!seen.change.changed) return seen
      yield* checkRoomToAsk(run)
      yield* checkQuestion(held.accountId, asking.input)
      const { change, input } = yield* store.ask(askedAt(yield* DateTime.now))
      if (change.releasedFrom !== null) yield* known.forget(ref.id)
      yield* announce([change], "runner")
      return { change, input }
    })

    return { open, close, start, log, finish, keepCheckpoint, giveBack, ask }
  })
}) {
  static readonly layer = Layer.effect(Runs, Runs.make)
}
