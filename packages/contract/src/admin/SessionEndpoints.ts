/** Signing in to the Integrations page, and out of it. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { forOperators } from "../Audiences.ts"
import { DeclaredAccess } from "../Access.ts"
import { calledAs } from "../Call.ts"
import { Forbidden, TooManyRequests, Unauthorized } from "../Errors.ts"
import { RequestRules } from "../RequestRules.ts"
import { SessionDetail, SignInBody, signOutQuery, SignInWays } from "../wire/SessionWire.ts"

export class SignInEndpoints extends HttpApiGroup.make("signIn")
  .add(
    HttpApiEndpoint.get("ways", "/sign-in", { success: SignInWays })
      .annotateMerge(
        calledAs({
          path: "session.ways",
          example: "const { oidc } = await admin.session.ways()"
        })
      )
      .annotate(OpenApi.Summary, "See how people may sign in")
      .annotate(OpenApi.Description, "The ways of signing in that the service has. This call needs no key."),
    HttpApiEndpoint.post("begin", "/session", {
      payload: SignInBody,
      success: SessionDetail,
      error: [Forbidden, TooManyRequests, Unauthorized]
    })
      .annotateMerge(
        calledAs({
          path: "session.begin",
          example: "const { accounts } = await admin.session.begin({ token: location.hash.slice(1) })"
        })
      )
      .annotate(OpenApi.Summary, "Sign in by a link")
      .annotate(
        OpenApi.Description,
        "Uses up a link, and answers with the cookie of a session. A person who is already signed in by another link then has the accounts of both. This call needs no key; a used or expired link answers 401."
      )
  )
  .middleware(RequestRules)
  .prefix("/api/v1/admin")
  .annotate(OpenApi.Description, "Signing in to the Integrations page.") {}

export class SessionEndpoints extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.get("get", "/session", { success: SessionDetail })
      .annotateMerge(
        calledAs({
          path: "session.get",
          example: "const { name, accounts } = await admin.session.get()"
        })
      )
      .annotate(DeclaredAccess, "member")
      .annotate(OpenApi.Summary, "See who is signed in")
      .annotate(
        OpenApi.Description,
        "The sessions of the cookie as one, with its accounts and the roles in them. A key has none: 401."
      ),
    HttpApiEndpoint.delete("end", "/session", {
      query: signOutQuery,
      success: HttpApiSchema.NoContent
    })
      .annotateMerge(
        calledAs({
          path: "session.end",
          example: "await admin.session.end({ everywhere: true })"
        })
      )
      .annotate(DeclaredAccess, "member")
      .annotate(OpenApi.Summary, "Sign out")
      .annotate(
        OpenApi.Description,
        "Ends the sessions of the cookie and those that began with their links, and withdraws those links. With `everywhere=true`, all sessions of the same person; a person whom a member let in ends only their own, none of that member's."
      )
  )
  .annotate(OpenApi.Description, "Who is signed in to the Integrations page.")
  .pipe(forOperators) {}
