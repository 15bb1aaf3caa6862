/** Puts requests on connections: on kept ones if there are any, as many as there are requests. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Agent, type Client, type Dispatcher, Pool } from "undici"
import type { Exchange } from "./Exchange.ts"
import { PeerClient, type PeerClientOptions } from "./PeerClient.ts"
import type { Outgoing } from "./Request.ts"
import { headersMax } from "./SizeLimits.ts"

/** Milliseconds an idle connection is kept, whatever the receiver offers. */
const keepAliveMillis = 10_000

const client: Client.Options = {
  allowH2: false,
  pipelining: 1,
  maxHeaderSize: headersMax,
  keepAliveTimeout: keepAliveMillis,
  keepAliveMaxTimeout: keepAliveMillis,
  // Our own time limits cover both.
  headersTimeout: 0,
  bodyTimeout: 0
}

export const make = Effect.fnUntraced(function* (options: {
  readonly clock: Clock.Clock
  readonly connectorFor: PeerClientOptions["connectorFor"]
}) {
  const peer = (origin: string | URL) => new PeerClient(origin, { ...options, client })
  const pool = (origin: string | URL) =>
    new Pool(origin, { allowH2: false, connections: null, factory: (url) => peer(url) })
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ allowH2: false, factory: pool })),
    (opened) => Effect.promise(() => opened.destroy())
  )

  return {
    send: (request: Outgoing, exchange: Exchange): void => dispatch(agent, request, exchange),

    /** Sends over a new connection: if one kept connection is closed, the others may be too. */
    sendAfresh: (request: Outgoing, exchange: Exchange): void => {
      const single = peer(request.url.origin)
      dispatch(single, request, exchange)
      // Closes when the exchange has ended; it does not fail.
      void single.close()
    }
  }
})

const dispatch = (dispatcher: Dispatcher, request: Outgoing, exchange: Exchange): void => {
  const { body, headers, method, url } = request
  const { origin, pathname, search } = url
  dispatcher.dispatch({ origin, path: pathname + search, method, body, headers }, exchange)
}
