/** The routes of an API: each endpoint of the contract, with the handler of its group. */
import { AdminAuthorization, ApiKeyAuthorization, RunnerAuthorization } from "@runhook/contract/Authorization"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as Layer from "effect/Layer"
import type { Authenticator } from "../authentication/Authenticator.ts"
import { bodySizeMax } from "../limits/BodySize.ts"
import { CurrentLoopTurns } from "../limits/LoopTurns.ts"
import { makeMeter, RateLimits } from "../limits/RateLimits.ts"
import { BodyReader } from "./request/BodyText.ts"
import { TrustedProxies } from "./request/CallerAddress.ts"
import { serveOf } from "./Endpoint.ts"
import { groupKey } from "./Handlers.ts"
import { RouteTable, type Serve } from "./RouteTable.ts"

/** The services by which the endpoints of an API know their callers. */
type Known<Groups> = HttpApiEndpoint.MiddlewareProvides<HttpApiGroup.Endpoints<Groups>>

/** `layer(IntegrationApi, ApiKeyAuthenticator)`. Requires the handlers of all its groups. */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint, I, Who>(
  api: HttpApi.HttpApi<Id, Groups>,
  authenticator: Context.Key<I, Authenticator<Known<Groups>, Who>>
): Layer.Layer<never, never, HttpApiGroup.ToService<Id, Groups> | I | RouteTable> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const context = yield* Effect.context<HttpApiGroup.ToService<Id, Groups>>()
      const services = flat(Context.add(context, HttpIncomingMessage.MaxBodySize, bodySizeMax))
      const authenticating = yield* authenticator
      const meter = makeMeter(yield* RateLimits)
      const readBody = yield* BodyReader
      const table = yield* RouteTable
      const trustedProxies = yield* TrustedProxies
      const turns = yield* CurrentLoopTurns
      const groups: ReadonlyArray<HttpApiGroup.Top> = Object.values(api.groups)
      for (const group of groups) {
        const handlers = Context.getUnsafe(services, groupKey(api.identifier, group.identifier))
        for (const [name, endpoint] of Object.entries(group.endpoints)) {
          const handler = handlers[name]
          if (handler === undefined) throw new Error(`${group.identifier}.${name} has no handler`)
          const compile = () =>
            serveOf({
              annotations: api.annotations,
              group,
              endpoint,
              handler,
              meter,
              readBody,
              services,
              trustedProxies,
              turns,
              authenticator: asksWho(endpoint) ? authenticating : null
            })
          // For the first call, so that no start waits for two hundred of them.
          let serve: Serve | undefined
          table.add(endpoint.method, endpoint.path, (call) => (serve ??= compile())(call))
        }
      }
    })
  )

/** What a request adds is layered over one map, which is never copied. */
const flat = <R>({ mapUnsafe }: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(mapUnsafe, { maxDepth: addedMax })

/** The caller, the call and so on are seven services; use cases add a few more. */
const addedMax = 16

const asksWho = ({ middlewares }: HttpApiEndpoint.Top): boolean =>
  [ApiKeyAuthorization, RunnerAuthorization, AdminAuthorization].some((each) => middlewares.has(each))
