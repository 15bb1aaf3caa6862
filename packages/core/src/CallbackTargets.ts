/** Which targets callbacks may reach: public addresses only, unless the host says otherwise. */
import * as Context from "effect/Context"
import { strict, type TargetPolicy } from "./domain/target/TargetPolicy.ts"

export const CallbackTargets = Context.Reference<TargetPolicy>("@runhook/core/CallbackTargets", {
  defaultValue: () => strict
})
