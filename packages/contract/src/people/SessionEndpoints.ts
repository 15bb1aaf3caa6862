/** Signing in to the Integrations page, and out of it. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { forOperators } from "../Audiences.ts"
import { DeclaredAccess } from "../Access.ts"
import { operation } from "../Call.ts"
import { Forbidden, TooManyRequests, Unauthorized } from "../Errors.ts"
import { RequestRules } from "../RequestRules.ts"
import { SessionDetail, SignInBody, signOutQuery, SignInWays } from "./SessionWire.ts"

export class SignInEndpoints extends HttpApiGroup.make("signIn")
  .add(
    HttpApiEndpoint.get("ways", "/sign-in", { success: SignInWays }).annotateMerge(
      operation({
        path: "session.ways",
        summary: "See how people may sign in",
        description: "The ways of signing in that the service has. This call needs no key.",
        example: "const { oidc } = await admin.session.ways()"
      })
    ),
    HttpApiEndpoint.post("begin", "/session", {
      payload: SignInBody,
      success: SessionDetail,
      error: [Forbidden, TooManyRequests, Unauthorized]
    }).annotateMerge(
      operation({
        path: "session.begin",
        summary: "Sign in by a link",
        description:
          "Uses up a link, and answers with the cookie of a session. A person who is already signed in by another link then has the accounts of both. This call needs no key; a used or expired link answers 401.",
        example: "const { accounts } = await admin.session.begin({ token: location.hash.slice(1) })"
      })
    )
  )
  .middleware(RequestRules)
  .prefix("/api/v1/admin")
  .annotate(OpenApi.Description, "Signing in to the Integrations page.") {}

export class SessionEndpoints extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.get("get", "/session", { success: SessionDetail })
      .annotateMerge(
        operation({
          summary: "See who is signed in",
          description:
            "The sessions of the cookie as one, with its accounts and the roles in them. A key has none: 401.",
          example: "const { name, accounts } = await admin.session.get()"
        })
      )
      .annotate(DeclaredAccess, "member"),
    HttpApiEndpoint.delete("end", "/session", { query: signOutQuery, success: HttpApiSchema.NoContent })
      .annotateMerge(
        operation({
          summary: "Sign out",
          description:
            "Ends the sessions of the cookie and those that began with their links, and withdraws those links. With `everywhere=true`, all sessions of the same person; a person whom a member let in ends only their own, none of that member's.",
          example: "await admin.session.end({ everywhere: true })"
        })
      )
      .annotate(DeclaredAccess, "member")
  )
  .annotate(OpenApi.Description, "Who is signed in to the Integrations page.")
  .pipe(forOperators) {}
