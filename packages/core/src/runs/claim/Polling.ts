/** The long poll of a runner: brings work and commands, and is a heartbeat. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Function from "effect/Function"
import * as Layer from "effect/Layer"
import type { AgentId, SessionId } from "../../shared/Ids.ts"
import type { RunnerKeyRecord } from "../../keys/RunnerKeyRecord.ts"
import { epochMax, type InFlight } from "../Lease.ts"
import { worthAdding } from "../LeaseMoves.ts"
import { newsOf, type Pulse, pulseOf, withDrain } from "../sessions/Pulse.ts"
import { tellable } from "../sessions/RunnerCommand.ts"
import { type RunnerSession, serves, takesNoMore } from "../sessions/RunnerSession.ts"
import { RunnerKeyStore } from "../../keys/RunnerKeyStore.ts"
import { type ClaimedRun, RunStore } from "../RunStore.ts"
import { type WorkTurn, Signals, type Topic } from "../../signals/Signals.ts"
import { BoundedMap } from "../../engine/BoundedMap.ts"
import { DeliveredNews } from "../sessions/DeliveredNews.ts"
import { Draining } from "../../engine/Draining.ts"
import { KnownSession } from "../sessions/KnownSession.ts"
import { KnownWork } from "./KnownWork.ts"
import * as ServiceMetrics from "../../engine/ServiceMetrics.ts"
import { lookEvery, lookUntil } from "../../engine/LongPoll.ts"
import { RunnerTimings } from "../../Settings.ts"
import { Unauthorized } from "../../keys/Authentication.ts"
import { makeClaimAnswers } from "./ClaimAnswers.ts"
import { makeWorkHandOver } from "./WorkHandOver.ts"
import { makeKeepReports, type BeatReports } from "../sessions/RunnerReports.ts"
import { useCase } from "../../engine/UseCase.ts"

/** A heartbeat of a session, with the work it believes to hold. */
export interface Beat {
  readonly key: RunnerKeyRecord
  readonly sessionId: SessionId
  readonly inFlight: ReadonlyArray<InFlight>
}

/** A heartbeat with reports on the work. */
export interface TellingBeat extends Beat, BeatReports {}

/** Sessions that one process knows, and claims that it has answered. */
const sessionsRemembered = 10_000

/** What a session hears about which there is nothing new. */
const nothingNew: Pulse = { held: [], commands: [], lost: [] }

export class Polling extends Context.Service<Polling>()("@runhook/core/runs/claim/Polling", {
  make: Effect.gen(function* () {
    const runnerKeys = yield* RunnerKeyStore
    const store = yield* RunStore
    const knownWork = yield* KnownWork
    const timings = yield* RunnerTimings
    const { fillWithinLimit, startAll, withDefaults } = yield* makeClaimAnswers
    const handedTo = yield* makeWorkHandOver
    const keep = yield* makeKeepReports
    const draining = yield* Draining
    const deliveredNews = new DeliveredNews(sessionsRemembered)
    const signals = yield* Signals
    const sessions = new BoundedMap<SessionId, KnownSession>(sessionsRemembered)
    const given = new BoundedMap<string, true>(sessionsRemembered)

    const moment = Effect.map(DateTime.now, (at) => ({ at, mark: signals.mark() }))

    /** Extends leases as often as that is worth a write. */
    const lifetime = Duration.min(lookEvery, worthAdding(timings.lease))

    const meet = (session: RunnerSession): KnownSession => {
      const known = new KnownSession({ signals, lifetime, session })
      sessions.set(session.id, known)
      return known
    }

    /**
     * The session as this process last heard from it. That is enough to know whose work
     * it waits for; looks find out whether it is still open and what it may take.
     * A session that was asked to leave is read again, since it may have been reopened.
     */
    const acquaintance = (beat: Beat) => {
      const ref = refOf(beat)
      const known = sessions.get(ref.id)
      return known?.session.runnerKeyId === ref.runnerKeyId && known.session.drainRequestedAt === null
        ? Effect.succeed(known)
        : Effect.map(store.getSession(ref), meet)
    }

    /** The key was valid when the poll began; work that comes later needs a key that still is. */
    const checkKey = Effect.fnUntraced(function* ({ key }: Beat) {
      const now = yield* runnerKeys.findByPrefix(key.prefix)
      if (now === undefined || now.revokedAt !== null) return yield* new Unauthorized()
    })

    /** Records the heartbeat, and answers what to tell the session. */
    const pulse = Effect.fnUntraced(function* (beat: Beat, isDraining: boolean | null) {
      const { inFlight } = beat
      const then = yield* moment
      const { held, session } = yield* store.beat({
        session: refOf(beat),
        isDraining,
        inFlight: inFlight.filter(({ epoch }) => epoch <= epochMax),
        lease: timings.lease,
        at: then.at
      })
      // Work of an agent that the session does not serve is never its own.
      const served = held.filter(({ execution }) => serves(session, execution.agentId))
      const heard = withDrain(pulseOf(served, { sessionId: session.id, inFlight }), session)
      const hasNews = newsOf(heard).length > 0
      sessions.get(session.id)?.hear(session, hasNews ? null : inFlight, then)
      return { session, heard }
    })

    /**
     * Ends the session's earlier polls, and queues for work if it takes any. A poll
     * that neither takes work nor waits is answered beside the one that goes on
     * waiting.
     */
    const placeOf = Effect.fnUntraced(function* (
      known: KnownSession,
      { isTaking, wait }: { readonly isTaking: boolean; readonly wait: Duration.Duration }
    ) {
      const { accountId, agentIds, id, runnerKeyId } = known.session
      if (isTaking || Duration.isPositive(wait)) yield* known.polls
      const topics: ReadonlyArray<Topic> = [`session:${id}`, `key:${runnerKeyId}`]
      const place = isTaking
        ? yield* signals.queue({ topics, accountId, agentIds })
        : { ...idle, woken: yield* signals.subscribe(topics) }
      return { ...place, ended: yield* signals.subscribe([`poll:${id}`]) }
    })

    /** Work for a session. Work that was given under this claim is answered again. */
    const claim = Effect.fnUntraced(function* (
      known: KnownSession,
      { claimId, limit }: { readonly claimId: string; readonly limit: number }
    ) {
      const { session } = known
      const then = yield* moment
      const name = nameOf(session.id, { claimId })
      const idle = known.idle(then.at)
      if (idle !== undefined && !given.get(name)) return idle
      const found = yield* store.claim({
        session,
        claimId,
        limit,
        isLikely: known.isWorkLikely,
        startDeadline: timings.startDeadline,
        at: then.at
      })
      known.look(found, then)
      if (found.claims.length > 0) given.set(name, true)
      yield* Effect.forEach(found.claims, ({ run }) => knownWork.note(run.execution), { discard: true })
      return found
    })

    /**
     * Answers as soon as there is work or news, or with neither when the wait is over.
     * A key that is revoked meanwhile gets nothing more.
     */
    const poll = useCase("Polling.poll")(function* (
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
    ) {
      const known = yield* acquaintance(options)
      const { id } = known.session
      const isTaking = roomOf({ ...known.session, isDraining: options.isDraining }, options) > 0
      // Snapshot: a poll whose client has gone must not mark news as delivered for the next poll.
      const toldBefore = deliveredNews.to(id)
      // What ends while it waits, the runner has ended itself, or a signal announces.
      const namesEnded = options.inFlight.some((each) => !knownWork.has(each.executionId))
      const wait = Duration.min(options.wait, timings.pollWait)
      const place = yield* placeOf(known, { isTaking, wait })
      const { open, taken } = yield* handedTo({
        ...options,
        known,
        wake: place.wake,
        expect: () => given.set(nameOf(id, options), true)
      })
      let last = nothingNew
      let dueAt: DateTime.Utc | null = null
      // Other polls may have last looked before they could know what falls due soon.
      yield* Effect.addFinalizer(() =>
        Effect.flatMap(DateTime.now, (at) => (isSoon(dueAt, at) ? place.passOn(null) : Effect.void))
      )
      const looking = place.looking(
        Effect.gen(function* () {
          yield* checkKey(options)
          const isHeard = !namesEnded && known.isHeard(options, yield* DateTime.now)
          const { heard, session } = isHeard
            ? { session: known.session, heard: nothingNew }
            : yield* pulse(options, options.isDraining)
          const limit = roomOf(session, options)
          const { claims, nextDueAt } =
            limit === 0 ? { claims: [], nextDueAt: null } : yield* claim(known, { ...options, limit })
          dueAt = nextDueAt
          // A poll that took all it can passes the turn on, since there may be more.
          if (claims.length >= limit) yield* Effect.forEach(leftBy(claims), place.passOn)
          const isFinal = claims.length > 0 || newsOf(heard).some((key) => !toldBefore.has(key))
          last = heard
          if (!isFinal && limit > 0) open()
          const lookAgainAt = known.countsUntil({ isTaking: limit > 0, dueAt })
          return { found: { ...heard, claims }, isFinal, lookAgainAt }
        })
      )
      // Until it was handed over there was nothing else to tell.
      const look = Effect.flatMap(taken, (claims): typeof looking => {
        const found = { ...last, claims }
        return claims.length === 0 ? looking : Effect.succeed({ found, isFinal: true, lookAgainAt: null })
      })
      const seen = yield* lookUntil(draining, {
        listen: Effect.succeed({ ...place, woken: [place.woken] }),
        wait,
        look,
        isTaking
      })
      const found = { ...seen, claims: [...seen.claims, ...(yield* taken)] }
      if (found.claims.length > 0) yield* ServiceMetrics.claimed(found.claims.length)
      const told = { ...found, commands: tellable(found.commands, toldBefore) }
      deliveredNews.note(id, [...newsOf(told), ...newsOf(found).filter((key) => toldBefore.has(key))])
      const claims = yield* fillWithinLimit(found.claims)
      return { ...told, claims: options.isStarting ? yield* startAll(claims) : claims }
    }, Effect.scoped)

    /** Extends the leases of a whole process at once, and keeps its reports. */
    const beat = useCase("Polling.beat")(function* (told: TellingBeat) {
      const { heard, session } = yield* pulse(told, null)
      yield* keep(session, told)
      return { ...heard, commands: tellable(heard.commands, deliveredNews.to(session.id)) }
    })

    return { poll, beat, withDefaults }
  })
}) {
  static readonly layer = Layer.effect(Polling, Polling.make)
}

const refOf = ({ key, sessionId }: Beat) => ({
  accountId: key.accountId,
  runnerKeyId: key.id,
  id: sessionId
})

const isSoon = (dueAt: DateTime.Utc | null, at: DateTime.Utc): boolean =>
  dueAt !== null && DateTime.isLessThanOrEqualTo(dueAt, DateTime.addDuration(at, lookEvery))

const nameOf = (id: SessionId, { claimId }: { readonly claimId: string }): string => `${id} ${claimId}`

/** A poll that takes no work has no turn to use or to pass on. */
const idle: Omit<WorkTurn, "woken"> = {
  wake: Function.constVoid,
  looking: Function.identity,
  passOn: () => Effect.void
}

/** How much work the session may take now. */
const roomOf = (session: RunnerSession, { freeSlots }: { readonly freeSlots: number }): number =>
  takesNoMore(session) ? 0 : freeSlots

/** The agents that may have more work; null, for any, if none was claimed. */
const leftBy = (claims: ReadonlyArray<ClaimedRun>): ReadonlySet<AgentId | null> =>
  new Set(claims.length === 0 ? [null] : claims.map(({ run }) => run.execution.agentId))
