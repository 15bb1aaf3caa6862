/** Signing in to the Integrations page, and out of it. */
import type { SessionDetail, SignIn, SignInWays } from "../../wire/Admin.ts"
import type { AdminClient, ClientTypes } from "../Client.ts"
import { get, post, remove } from "../Describe.ts"

export const session = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * The ways to sign in. Needs neither key nor session.
   *
   * @example
   * ```ts
   * const { oidc } = await admin.session.ways()
   * ```
   */
  ways: (options?: T["options"]) => client.call<SignInWays>(get("/sign-in", options)),

  /**
   * Signs in by the token of a link, which it uses up. The answer sets the cookie of the session.
   *
   * @example
   * ```ts
   * const { accounts } = await admin.session.begin({ token: location.hash.slice(1) })
   * ```
   */
  begin: (body: SignIn, options?: T["options"]) =>
    client.call<SessionDetail>(post("/session", body, options)),

  /**
   * The current session. Fails with an `UnauthorizedError` when there is none.
   *
   * @example
   * ```ts
   * const { name, accounts } = await admin.session.get()
   * ```
   */
  get: (options?: T["options"]) => client.call<SessionDetail>(get("/session", options)),

  /**
   * Signs out, here or in every browser of the same person.
   *
   * @example
   * ```ts
   * await admin.session.end({ everywhere: true })
   * ```
   */
  end: ({ everywhere = false }: { readonly everywhere?: boolean } = {}, options?: T["options"]) =>
    client.nothing({
      ...remove("/session", options),
      query: everywhere ? { everywhere } : undefined
    })
})
