/** A callback URL as callers give it. The core judges it: no pattern could say which are refused. */
import { callbackUrlLengthMax } from "@runhook/core/shared/target/TargetRefused"
import * as Schema from "effect/Schema"

export const CallbackUrl = Schema.String.check(
  Schema.isMaxCodePoints(callbackUrlLengthMax, {
    toJsonSchema: () => ({ format: "uri", maxLength: callbackUrlLengthMax })
  })
)
