/** The long poll of a runner: brings work and commands, and is a heartbeat. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Function from "effect/Function"
import * as Layer from "effect/Layer"
import type { AgentId, SessionId } from "../domain/Ids.ts"
import type { StoredObject } from "../domain/json/StoredJson.ts"
import type { RunnerKeyRecord } from "../domain/keys/RunnerKeyRecord.ts"
import { epochMax } from "../domain/run/Lease.ts"
import type { ReportOn } from "../domain/run/Progress.ts"
import { newsOf, type Pulse, pulseOf, withDrain } from "../domain/run/Pulse.ts"
import { type InFlight, tellable } from "../domain/run/RunnerCommand.ts"
import { type RunnerSession, serves, takesNoMore } from "../domain/run/RunnerSession.ts"
import { HistoryStore } from "../ports/HistoryStore.ts"
import { RunnerKeyStore } from "../ports/RunnerKeyStore.ts"
import { type ClaimedRun, RunStore, type SessionNotFound } from "../ports/RunStore.ts"
import { type Place, Signals, type Topic } from "../ports/Signals.ts"
import { BoundedMap } from "../runtime/BoundedMap.ts"
import { changeOf } from "../runtime/ChangeSignals.ts"
import { DeliveredNews } from "../runtime/DeliveredNews.ts"
import type { Draining } from "../runtime/Draining.ts"
import { KnownWork } from "../runtime/KnownWork.ts"
import { lookEvery, lookUntil } from "../runtime/LongPoll.ts"
import { RunnerTimings } from "../Settings.ts"
import { Unauthorized } from "./Authentication.ts"
import { begin } from "./BegunClaims.ts"
import { fillWithin } from "./GrownClaims.ts"
import { makeDefaults } from "./ParamsDefaults.ts"
import { useCase } from "./UseCase.ts"

/** A heartbeat of a session, with the work it believes to hold. */
export interface Beat {
  readonly key: RunnerKeyRecord
  readonly sessionId: SessionId
  readonly inFlight: ReadonlyArray<InFlight>
}

/** A heartbeat with reports on the work. */
export interface TellingBeat extends Beat {
  readonly reports?: ReadonlyArray<ReportOn>
}

/** Work to do, with the params as the handler should see them: defaults filled in. */
export interface Claim extends ClaimedRun {
  readonly params: StoredObject
}

/** Sessions whose news one process remembers. */
const sessionsRemembered = 10_000

export class Polling extends Context.Service<
  Polling,
  {
    /**
     * Answers as soon as there is work or news, or with neither when the wait is over.
     * A key that is revoked meanwhile gets nothing more.
     */
    poll(
      options: Beat & {
        readonly claimId: string
        readonly freeSlots: number
        /** The runner takes no more work and is about to leave. */
        readonly isDraining: boolean
        /**
         * Starts what is claimed at once, without a call of its own, unless it continues
         * with an answer. Default: no.
         */
        readonly isStarting?: boolean
        readonly wait: Duration.Duration
      }
    ): Effect.Effect<Pulse & { readonly claims: ReadonlyArray<Claim> }, SessionNotFound | Unauthorized>

    /** Extends the leases of a whole process at once, and keeps its reports. */
    beat(beat: TellingBeat): Effect.Effect<Pulse, SessionNotFound>

    /** The params of a run with the defaults of its version. */
    withDefaults(claimed: ClaimedRun): Effect.Effect<Claim>
  }
>()("@runhook/core/usecases/Polling") {
  static readonly layer = Layer.effect(
    Polling,
    Effect.gen(function* () {
      const runnerKeys = yield* RunnerKeyStore
      const store = yield* RunStore
      const known = yield* KnownWork
      const timings = yield* RunnerTimings
      const withDefaults = yield* makeDefaults
      const history = yield* HistoryStore
      const services = yield* Effect.context<Draining | RunStore | Signals>()
      const deliveredNews = new DeliveredNews(sessionsRemembered)
      const lastHeard = new BoundedMap<SessionId, RunnerSession>(sessionsRemembered)

      /**
       * The session as this process last heard from it. That is enough to know whose work
       * it waits for; each look finds out whether it is still open and what it may take.
       * A session that was asked to leave is read again, since it may have been reopened.
       */
      const acquaintance = (beat: Beat) => {
        const ref = refOf(beat)
        const session = lastHeard.get(ref.id)
        return session?.runnerKeyId === ref.runnerKeyId && session.drainRequestedAt === null
          ? Effect.succeed(session)
          : store.getSession(ref)
      }

      /** The key was valid when the poll began; work that comes later needs a key that still is. */
      const checkKey = Effect.fnUntraced(function* ({ key }: Beat) {
        const now = yield* runnerKeys.findByPrefix(key.prefix)
        if (now === undefined || now.revokedAt !== null) return yield* new Unauthorized()
      })

      /** Records the heartbeat, and answers what to tell the session. */
      const pulse = Effect.fnUntraced(function* (beat: Beat, isDraining: boolean | null) {
        const { inFlight } = beat
        const { held, session } = yield* store.beat({
          session: refOf(beat),
          isDraining,
          inFlight: inFlight.filter(({ epoch }) => epoch <= epochMax),
          lease: timings.lease,
          at: yield* DateTime.now
        })
        lastHeard.set(session.id, session)
        // Work of an agent that the session does not serve is never its own.
        const served = held.filter(({ execution }) => serves(session, execution.agentId))
        return { session, heard: withDrain(pulseOf(served, { sessionId: session.id, inFlight }), session) }
      })

      /** Most heartbeats report nothing, and then cost nothing more. */
      const keep = Effect.fnUntraced(function* (
        { accountId, id }: RunnerSession,
        said: ReadonlyArray<ReportOn> = []
      ) {
        const reports = said.filter(({ epoch }) => epoch <= epochMax)
        if (reports.length === 0) return
        yield* history.report({ accountId, sessionId: id, reports, at: yield* DateTime.now })
        const signals = yield* Signals
        yield* signals.notify(
          reports.flatMap(({ executionId: told }): ReadonlyArray<Topic> => [
            `execution:${told}`,
            changeOf(accountId, "execution", { id: told, state: null, isNew: false })
          ])
        )
      })

      /**
       * Ends the session's earlier polls, and queues for work if it takes any. A poll
       * that neither takes work nor waits is answered beside the one that goes on
       * waiting.
       */
      const placeOf = Effect.fnUntraced(function* (
        session: RunnerSession,
        { isTaking, wait }: { readonly isTaking: boolean; readonly wait: Duration.Duration }
      ) {
        const signals = yield* Signals
        const { accountId, agentIds, id, runnerKeyId } = session
        if (isTaking || Duration.isPositive(wait)) yield* signals.notify([`poll:${id}`])
        const topics: ReadonlyArray<Topic> = [`session:${id}`, `key:${runnerKeyId}`]
        const place = isTaking
          ? yield* signals.queue({ topics, accountId, agentIds })
          : { ...idle, woken: yield* signals.subscribe(topics) }
        return { ...place, ended: yield* signals.subscribe([`poll:${id}`]) }
      })

      const claim = Effect.fnUntraced(function* (
        session: RunnerSession,
        { claimId, limit }: { readonly claimId: string; readonly limit: number }
      ) {
        if (limit === 0) return { claims: [], nextDueAt: null }
        const at = yield* DateTime.now
        const found = yield* store.claim({
          session,
          claimId,
          limit,
          startDeadline: timings.startDeadline,
          at
        })
        yield* Effect.forEach(found.claims, ({ run }) => known.note(run.execution), { discard: true })
        return found
      })

      return Polling.of({
        poll: useCase("Polling.poll")(
          function* (options) {
            const waiting = { ...(yield* acquaintance(options)), isDraining: options.isDraining }
            const isTaking = roomOf(waiting, options) > 0
            // Snapshot: a poll whose client has gone must not mark news as delivered for the next poll.
            const toldBefore = deliveredNews.to(waiting.id)
            const wait = Duration.min(options.wait, timings.pollWait)
            const place = yield* placeOf(waiting, { isTaking, wait })
            let dueAt: DateTime.Utc | null = null
            // Others may have last looked before they could know what is soon due.
            yield* Effect.addFinalizer(() =>
              Effect.flatMap(DateTime.now, (at) => (isSoon(dueAt, at) ? place.passOn(null) : Effect.void))
            )
            const look = place.looking(
              Effect.gen(function* () {
                yield* checkKey(options)
                const { heard, session } = yield* pulse(options, options.isDraining)
                const limit = roomOf(session, options)
                const { claims, nextDueAt } = yield* claim(session, { ...options, limit })
                dueAt = nextDueAt
                // A poll that took all it can passes the turn on, since there may be more.
                if (claims.length >= limit) yield* Effect.forEach(leftBy(claims), place.passOn)
                const isFinal = claims.length > 0 || newsOf(heard).some((key) => !toldBefore.has(key))
                return { found: { ...heard, claims }, isFinal, lookAgainAt: nextDueAt }
              })
            )
            const found = yield* lookUntil({ listen: Effect.succeed(place), wait, look, isTaking })
            const told = { ...found, commands: tellable(found.commands, toldBefore) }
            deliveredNews.note(waiting.id, [
              ...newsOf(told),
              ...newsOf(found).filter((key) => toldBefore.has(key))
            ])
            const claims = yield* fillWithin(found.claims, withDefaults)
            return { ...told, claims: options.isStarting ? yield* begin(claims, timings) : claims }
          },
          Effect.scoped,
          Effect.provide(services)
        ),

        beat: useCase("Polling.beat")(function* (beat) {
          const { heard, session } = yield* pulse(beat, null)
          yield* keep(session, beat.reports)
          return { ...heard, commands: tellable(heard.commands, deliveredNews.to(session.id)) }
        }, Effect.provide(services)),

        withDefaults
      })
    })
  )
}

const refOf = ({ key, sessionId }: Beat) => ({
  accountId: key.accountId,
  runnerKeyId: key.id,
  id: sessionId
})

const isSoon = (dueAt: DateTime.Utc | null, at: DateTime.Utc): boolean =>
  dueAt !== null && DateTime.isLessThanOrEqualTo(dueAt, DateTime.addDuration(at, lookEvery))

/** A poll that takes no work has no turn to use or to pass on. */
const idle: Omit<Place, "woken"> = { looking: Function.identity, passOn: () => Effect.void }

/** How much work the session may take now. */
const roomOf = (session: RunnerSession, { freeSlots }: { readonly freeSlots: number }): number =>
  takesNoMore(session) ? 0 : freeSlots

/** The agents that may have more work; null, for any, if none was claimed. */
const leftBy = (claims: ReadonlyArray<ClaimedRun>): ReadonlySet<AgentId | null> =>
  new Set(claims.length === 0 ? [null] : claims.map(({ run }) => run.execution.agentId))
