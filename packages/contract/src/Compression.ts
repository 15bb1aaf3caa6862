/**
 * Which answers may be compressed: those with names, ids and counts. The length of a compressed text tells an
 * eavesdropper, whose guesses others can be made to put into it, what else is in it. So no answer is compressed that
 * contains a key, a secret, a URL, or what callers sent: params, results and callback URLs may hold their secrets.
 */
import * as Context from "effect/Context"

/** Annotates an endpoint: `.annotate(Compressible, true)`. */
export const Compressible = Context.Reference<boolean>("@runhook/contract/Compressible", {
  defaultValue: () => false
})
