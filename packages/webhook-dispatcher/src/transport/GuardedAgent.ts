/**
 * Makes HTTP requests to URLs that strangers chose: to allowed targets only,
 * within bounds of time and size, following no redirect. Connections are kept
 * for a while and never limited in number here: a limit would be a hidden queue
 * in which a slow receiver holds up the others. Who calls bounds the requests.
 */
import * as tls from "node:tls"
import { CallbackTargets } from "@runhook/core/CallbackTargets"
import { checkUrl } from "@runhook/core/domain/target/CallbackUrl"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Dns } from "effect/net/Dns"
import { Agent, buildConnector, type Client, Pool } from "undici"
import { type Answer, Exchange, type Request } from "./Exchange.ts"
import * as GuardedConnector from "./GuardedConnector.ts"
import { PeerClient } from "./PeerClient.ts"
import { type TimeLimits, timeLimitsDefault, within } from "./TimeLimits.ts"
import { phaseOf, wordsOf } from "./TransportFailure.ts"

/** Milliseconds an idle connection is kept, whatever the receiver offers. */
const keepAliveMillis = 10_000

/** Longest headers of an answer, in bytes. */
const headersMax = 16 * 1024

export interface GuardedAgentOptions {
  /** Those not given stay at their defaults. */
  readonly timeLimits?: Partial<TimeLimits>
  /** Certificates in PEM of authorities that are trusted beside the public ones. Default: none. */
  readonly authorities?: ReadonlyArray<string>
}

export class GuardedAgent extends Context.Service<
  GuardedAgent,
  {
    /** Makes a request. Never fails: what goes wrong is in the answer. Interrupting it cuts the connection. */
    request(request: Request): Effect.Effect<Answer>
  }
>()("@runhook/webhook-dispatcher/transport/GuardedAgent") {
  /** Judges targets by `CallbackTargets` and resolves names by `Dns`. Its connections end with the scope. */
  static readonly layer = (options: GuardedAgentOptions = {}): Layer.Layer<GuardedAgent, never, Dns> =>
    Layer.effect(
      GuardedAgent,
      Effect.gen(function* () {
        const timeLimits = { ...timeLimitsDefault, ...options.timeLimits }
        const policy = yield* CallbackTargets
        const agent = yield* makeAgent(timeLimits, options.authorities ?? [])

        const request = Effect.fnUntraced(function* (wanted: Request) {
          const exchange = new Exchange(wanted.bodyMax)
          return yield* Effect.fromResult(checkUrl(wanted.url, policy)).pipe(
            Effect.tap((url) => Effect.sync(() => dispatch(agent, url, wanted, exchange))),
            Effect.andThen(exchange.head.pipe(within(timeLimits, "headers"))),
            Effect.andThen(exchange.end),
            within(timeLimits, "total"),
            Effect.ensuring(Effect.sync(() => exchange.abandon())),
            Effect.match({
              onFailure: (failure: Error) => answerOf(exchange, failure),
              onSuccess: () => answerOf(exchange, null)
            })
          )
        })

        return GuardedAgent.of({ request })
      })
    )
}

const makeAgent = Effect.fnUntraced(function* (timeLimits: TimeLimits, authorities: ReadonlyArray<string>) {
  const dial = buildConnector({
    allowH2: false,
    secureContext: tls.createSecureContext({
      minVersion: "TLSv1.2",
      ...(authorities.length > 0 && { ca: [...tls.getCACertificates("default"), ...authorities] })
    }),
    timeout: Duration.toMillis(timeLimits.connect)
  })
  const connect = yield* GuardedConnector.make({ dial, timeLimits })
  const client: Client.Options = {
    connect,
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: headersMax,
    keepAliveTimeout: keepAliveMillis,
    keepAliveMaxTimeout: keepAliveMillis,
    // Both run under the time limits instead.
    headersTimeout: 0,
    bodyTimeout: 0
  }
  const pool = (origin: string | URL): Pool =>
    new Pool(origin, {
      allowH2: false,
      connections: null,
      factory: (url) => new PeerClient(url, client, connect)
    })
  return yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ allowH2: false, factory: pool })),
    (agent) => Effect.promise(() => agent.destroy())
  )
})

const dispatch = (agent: Agent, url: URL, { body, headers, method }: Request, exchange: Exchange): boolean =>
  agent.dispatch(
    {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      body,
      // A compressed body could grow without bounds when it is opened.
      headers: { ...headers, "accept-encoding": "identity" }
    },
    exchange
  )

const answerOf = (exchange: Exchange, failure: Error | null): Answer => ({
  phase: failure === null ? exchange.phase : phaseOf(failure, exchange.phase),
  remoteAddress: exchange.remoteAddress,
  status: exchange.status,
  headers: exchange.headers,
  body: exchange.body,
  isTruncated: exchange.isTruncated,
  error: failure === null ? null : wordsOf(failure)
})
