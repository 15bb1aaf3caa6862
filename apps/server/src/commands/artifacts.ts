/** `runhook artifacts`: the files that runs captured. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { group } from "./Catalog.ts"

const isRemoving = Flag.Boolean("remove").pipe(
  Flag.withDescription("Remove each file from the folder once it is in the bucket"),
  Flag.withDefault(false)
)

const moveCommand = Command.make("move", { isRemoving }, (flags) =>
  Effect.flatMap(
    Effect.promise(() => import("../storage/ArtifactsMove.ts")),
    ({ move }) => move(flags)
  )
).pipe(
  Command.withDescription(
    "Send the files of RUNHOOK_ARTIFACTS_DIR to the bucket in RUNHOOK_ARTIFACTS_URL. What is there is not sent again, so it may be ended and run again at any time."
  )
)

export const artifactsCommand = group("artifacts", "Files that runs captured.", [moveCommand])
