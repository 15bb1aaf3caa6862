/**
 * Which answers may be compressed: those of names, ids and counts. How short a
 * compressed text gets tells who watches the wire, and has others put their guesses
 * into it, what else is in it. So no answer is compressed that has a key, a secret
 * or a URL, or what callers sent: params, results and callback URLs hold secrets of
 * theirs.
 */
import * as Context from "effect/Context"

/** Annotates an endpoint: `.annotate(Compressible, true)`. */
export const Compressible = Context.Reference<boolean>("@runhook/contract/Compressible", {
  defaultValue: () => false
})
