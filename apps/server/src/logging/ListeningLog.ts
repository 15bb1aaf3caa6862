/**
 * Logs that requests are answered, at which address, and where everything is kept,
 * for a start without a demo.
 */
import { BaseUrl } from "@runhook/http/BaseUrl"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as NetAddress from "effect/net/NetAddress"
import { whenServing } from "../process/Readiness.ts"
import type { ServerSettings } from "../settings/ServerSettings.ts"

export const layer = (settings: ServerSettings) =>
  whenServing(
    Effect.gen(function* () {
      if (settings.store._tag === "Memory") {
        yield* Effect.logWarning(
          "Nothing is kept: the store is memory, and what it holds is gone when this stops"
        )
      }
      const { address } = yield* HttpServer.HttpServer
      yield* Effect.logInfo("Listening", {
        url: yield* BaseUrl,
        ...placeOf(address),
        ...detailsOf(settings)
      })
    })
  )

/** What the log says of a service besides its address. */
export const detailsOf = ({ mode, roles, store }: ServerSettings) => ({
  mode,
  roles: roles.join(","),
  store: words[store._tag]
})

export const placeOf = (address: HttpServer.HttpServer["Service"]["address"]) =>
  address._tag === "UnixPathAddress"
    ? { host: address.path }
    : { host: NetAddress.formatIp(address.address), port: address.port }

const words = {
  Memory: "memory",
  Embedded: "PostgreSQL of its own, in the data directory",
  Server: "PostgreSQL of RUNHOOK_DATABASE_URL"
}
