/** `runhook serve` and `runhook start`: the service. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"

const isMemory = Flag.Boolean("memory").pipe(
  Flag.withDescription("Keep nothing after a stop, as RUNHOOK_STORE=memory"),
  Flag.withDefault(false)
)

export const serve = (given: { readonly isMemory: boolean; readonly isTrial: boolean }) =>
  Effect.flatMap(
    Effect.promise(() => import("../process/Serve.ts")),
    (module) => module.serve(given)
  )

export const serveCommand = Command.make("serve", { isMemory }, (flags) =>
  serve({ ...flags, isTrial: false })
).pipe(
  Command.withDescription(
    "Run the service until it is told to stop. Its settings are environment variables: see `runhook settings`. " +
      "Supervisors run this file itself and not `npx`, which passes no signals on."
  )
)

/** What `npm start` runs: everything that production requires is made, and a demo shows the service at work. */
export const startCommand = Command.make("start", { isMemory }, (flags) =>
  serve({ ...flags, isTrial: true })
).pipe(
  Command.withDescription(
    "Try the service out: run it in development mode, with a demo account, a working agent and a webhook inbox."
  )
)
