/** `runhook serve`: the service, until it is told to stop. */
import type { DirectoryUnusable } from "@runhook/artifacts/disk/StorageDirectory"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import type { ServeError } from "effect/http/HttpServerError"
import * as Layer from "effect/Layer"
import { parentGone } from "../ParentWatch.ts"
import { type ServerSettings, serverSettings } from "../ServerSettings.ts"
import { StartRefused } from "../StartRefused.ts"

type Server = (settings: ServerSettings) => Layer.Layer<never, DirectoryUnusable | ServeError | StartRefused>

/** Runs the server that the settings describe. Ends without an error when it is told to stop. */
export const serve = (server: Server) =>
  Effect.gen(function* () {
    const settings = yield* serverSettings
    yield* Layer.launch(server(settings)).pipe(
      Effect.raceFirst(yield* parentGone),
      Effect.catchTags({
        DirectoryUnusable: ({ message }) => new StartRefused({ problems: [`RUNHOOK_DATA_DIR: ${message}`] }),
        ServeError: ({ cause }) => new StartRefused({ problems: [listenProblem(settings, cause)] })
      })
    )
  })

export const serveCommand = (server: Server) =>
  Command.make("serve", {}, () => serve(server)).pipe(
    Command.withDescription(
      "Run the service until it is told to stop. Its settings are environment variables: see `runhook settings`."
    )
  )

const listenProblem = ({ host, port }: ServerSettings, cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  switch (code) {
    case "EADDRINUSE":
      return `RUNHOOK_PORT ${port} is in use on ${host}: stop what uses it, or set another (0 takes any free one)`
    case "EACCES":
      return `RUNHOOK_PORT ${port} may not be used by this user: set one above 1023`
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `RUNHOOK_HOST ${host} is not an address of this machine`
    default:
      return `Cannot listen on ${host} port ${port}: ${String(code ?? "unknown reason")}`
  }
}
