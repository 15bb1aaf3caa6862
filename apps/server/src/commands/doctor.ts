/** `runhook doctor`: whether a server could start here, and whether one answers. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { Json } from "../output/Output.ts"

export const doctorCommand = Command.make("doctor", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("../process/Doctor.ts")),
    ({ doctor }) => doctor
  )
).pipe(
  Command.withDescription(
    "Check the settings, the data directory, the database, the bucket, the mail server, and whether the server answers"
  ),
  Command.withGlobalFlags([Json])
)
