/**
 * Makes HTTP requests to untrusted URLs: only to allowed targets,
 * bounded in time and size, without following redirects. Connections are kept for a
 * while and never limited in number here: a limit would be a hidden queue, in which
 * a slow receiver holds up the others. The caller bounds the requests.
 */
import * as tls from "node:tls"
import { checkUrl } from "@runhook/core/shared/target/CallbackUrl"
import type { TargetRefused } from "@runhook/core/shared/target/TargetRefused"
import { CallbackTargets } from "@runhook/core/Settings"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Dns } from "effect/net/Dns"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type Answer, noTimings } from "./Answer.ts"
import { Deadlines } from "./Deadlines.ts"
import { dialDirectly, secureBy } from "./Dialer.ts"
import { dialThrough } from "./EgressProxy.ts"
import { Exchange } from "./Exchange.ts"
import * as GuardedConnector from "./GuardedConnector.ts"
import { outgoing, type Outgoing, type Request } from "./Request.ts"
import { type TimeLimits, timeLimitsDefault } from "./TimeLimits.ts"
import * as Transmission from "./Transmission.ts"
import { codeOf, phaseOf, TimedOut, wordsOf } from "./TransportFailure.ts"

export interface GuardedAgentOptions {
  /** Missing limits keep their defaults. */
  readonly timeLimits?: Partial<TimeLimits>
  /** PEM certificates of authorities to trust besides the public ones. Default: none. */
  readonly authorities?: ReadonlyArray<string>
  /** An HTTP proxy for public addresses, `http://user:password@host:port`. Default: null, for none. */
  readonly proxy?: Redacted.Redacted<URL> | null
}

export class GuardedAgent extends Context.Service<
  GuardedAgent,
  {
    /** Makes a request. Never fails: a failure is part of the answer. Interrupting it cuts the connection. */
    request(request: Request): Effect.Effect<Answer>
  }
>()("@runhook/guarded-http/GuardedAgent") {
  /** Judges targets by `CallbackTargets` and resolves names by `Dns`. Its connections end with the scope. */
  static readonly layer = (options: GuardedAgentOptions = {}): Layer.Layer<GuardedAgent, never, Dns> =>
    Layer.effect(
      GuardedAgent,
      Effect.gen(function* () {
        const clock = yield* Clock.Clock
        const policy = yield* CallbackTargets
        const timeLimits = { ...timeLimitsDefault, ...options.timeLimits }
        const transmission = yield* Transmission.make({
          clock,
          connectorFor: yield* GuardedConnector.make({
            dial: options.proxy ? dialThrough(options.proxy) : dialDirectly,
            secure: secureBy(secureContext(options.authorities ?? [])),
            timeLimits
          })
        })

        const untilHead = yield* Deadlines.make(timeLimits.headers)
        const untilEnd = yield* Deadlines.make(timeLimits.total)

        const exchanged = (request: Outgoing) =>
          Effect.callback<Answer>((resume) => {
            let isOver = false
            const over = (): void => {
              isOver = true
              untilHead.over(head)
              untilEnd.over(end)
              exchange.abandon()
            }
            const onEnd = (failure: Error | null): void => {
              if (isOver) return
              over()
              resume(Effect.succeed(answerOf(request, exchange, failure)))
            }
            const exchange = new Exchange({
              bodyMax: request.bodyMax,
              clock,
              sendAgain: (same) => transmission.sendAfresh(request, same),
              onHead: () => untilHead.over(head),
              onEnd
            })
            const head = untilHead.begin(() => onEnd(new TimedOut({ limit: "headers" })))
            const end = untilEnd.begin(() => onEnd(new TimedOut({ limit: "total" })))
            transmission.send(request, exchange)
            return Effect.sync(over)
          })

        const request = (wanted: Request) =>
          Effect.suspend(() =>
            Result.match(checkUrl(wanted.url, policy), {
              onFailure: (failure) => Effect.succeed(refused(failure)),
              onSuccess: (url) => exchanged(outgoing(wanted, url))
            })
          )

        return GuardedAgent.of({ request })
      })
    )
}

const secureContext = (authorities: ReadonlyArray<string>): tls.SecureContext =>
  tls.createSecureContext({
    minVersion: "TLSv1.2",
    ...(authorities.length > 0 && { ca: [...tls.getCACertificates("default"), ...authorities] })
  })

/** The answer to a request that is not made. */
const refused = (failure: TargetRefused): Answer => ({
  phase: "policy",
  remoteAddress: null,
  requestHeaders: {},
  timings: noTimings,
  status: null,
  headers: {},
  body: new Uint8Array(),
  isTruncated: false,
  error: wordsOf(failure),
  code: codeOf(failure)
})

const answerOf = (sent: Outgoing, exchange: Exchange, failure: Error | null): Answer => {
  const { body, headers, isTruncated, remoteAddress, status, timings } = exchange
  const phase = failure === null ? exchange.phase : phaseOf(failure, exchange.phase)
  return {
    phase,
    remoteAddress,
    requestHeaders: exchange.isSent ? sent.headers : {},
    timings,
    status,
    headers,
    body,
    isTruncated,
    error: failure === null ? null : wordsOf(failure),
    code: failure === null ? null : codeOf(failure)
  }
}
