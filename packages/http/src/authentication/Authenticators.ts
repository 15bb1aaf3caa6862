/**
 * The three kinds of key, each for its API, and the sessions beside admin keys.
 * Failures at one of them count for all.
 */
import * as Layer from "effect/Layer"
import * as AdminAuthenticators from "./AdminAuthenticators.ts"
import { FailedKeys } from "./FailedKeys.ts"
import * as KeyAuthenticators from "./KeyAuthenticators.ts"

export const layer = Layer.merge(KeyAuthenticators.layer, AdminAuthenticators.layer).pipe(
  Layer.provideMerge(FailedKeys.layer)
)
