/** Signing in to the Integrations page, and out of it. */
import { readNothing } from "../call/Answer.ts"
import type { Send } from "../call/Send.ts"
import type { CallOptions } from "../call/Settings.ts"
import type { ConsoleLinkCreated, CreateConsoleLink, SessionDetail, SignInWays } from "../wire/Admin.ts"
import { type Rooted, rootedAt } from "./Rooted.ts"

export const makeConsoleLinks = ({ post }: Rooted) => ({
  /** Makes a link that signs one person in, once. Its answer alone has it. */
  create: (body?: CreateConsoleLink, options?: CallOptions) =>
    post<ConsoleLinkCreated>("/console-links", body, options)
})

export const makeSession = (send: Send) => {
  const { get, post } = rootedAt("", send)
  return {
    /** How one may sign in. It needs neither key nor session. */
    ways: (options?: CallOptions) => get<SignInWays>("/sign-in", options),

    /** Signs in by the token of a link, which it uses up. The answer sets the cookie of the session. */
    begin: (body: { readonly token: string }, options?: CallOptions) =>
      post<SessionDetail>("/session", body, options),

    /** Who is signed in. Rejects with `UnauthorizedError` when nobody is. */
    get: (options?: CallOptions) => get<SessionDetail>("/session", options),

    /** Signs out, here or in every browser of the same person. */
    end: ({ everywhere = false }: { readonly everywhere?: boolean } = {}, options?: CallOptions) =>
      send(
        { method: "DELETE", path: everywhere ? "/session?everywhere=true" : "/session" },
        options,
        readNothing
      )
  }
}

export type Session = ReturnType<typeof makeSession>
