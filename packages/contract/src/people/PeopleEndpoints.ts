/** The people who may see an account on the Integrations page: links for them, and who is signed in. */
import { SignInLinkId, PersonSessionId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { account, inAccount } from "../Audiences.ts"
import { DeclaredAccess } from "../Access.ts"
import { operation } from "../Call.ts"
import { optional, pageQuery } from "../shared/Envelope.ts"
import {
  ConsoleLinkCreated,
  ConsoleLinkPage,
  ConsoleSessionPage,
  NewSignInLink,
  personQuery
} from "./SessionWire.ts"

export class ConsoleLinkEndpoints extends HttpApiGroup.make("consoleLinks")
  .add(
    HttpApiEndpoint.post("create", "/console-links", {
      params: account,
      payload: optional(NewSignInLink),
      success: ConsoleLinkCreated.pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      operation({
        summary: "Make a sign-in link",
        description:
          "Makes a link that signs one person in to the Integrations page of the account, once. Opening it does not use it up; the button on its page does. Made by somebody who is signed in, it lets in no longer than they are in themselves, and ends with them.",
        example: 'const { url } = await account.consoleLinks.create({ role: "viewer", name: "Ada Lovelace" })'
      })
    ),
    HttpApiEndpoint.get("list", "/console-links", {
      params: account,
      query: pageQuery,
      success: ConsoleLinkPage
    })
      .annotateMerge(
        operation({
          summary: "List the sign-in links",
          description:
            "The links of the account, newest first, also those that were used or have expired in the last 30 days. Never their tokens.",
          example: "for await (const { name, state } of account.consoleLinks.list()) console.log(name, state)"
        })
      )
      .annotate(DeclaredAccess, "admin"),
    HttpApiEndpoint.delete("withdraw", "/console-links/:link_id", {
      params: { ...account, link_id: SignInLinkId },
      success: HttpApiSchema.NoContent
    }).annotateMerge(
      operation({
        summary: "Withdraw a sign-in link",
        description: "The link can no longer be used. A person who has signed in by it stays signed in.",
        example: "await account.consoleLinks.withdraw(id)"
      })
    )
  )
  .annotate(OpenApi.Description, "Links that sign people in.")
  .pipe(inAccount) {}

export class ConsoleSessionEndpoints extends HttpApiGroup.make("consoleSessions")
  .add(
    HttpApiEndpoint.get("list", "/console-sessions", {
      params: account,
      query: pageQuery,
      success: ConsoleSessionPage
    })
      .annotateMerge(
        operation({
          summary: "List who is signed in",
          description: "The open sessions of people on the Integrations page of the account, newest first.",
          example:
            "for await (const { name, last_seen_at } of account.consoleSessions.list()) console.log(name, last_seen_at)"
        })
      )
      .annotate(DeclaredAccess, "admin"),
    HttpApiEndpoint.delete("end", "/console-sessions/:session_id", {
      params: { ...account, session_id: PersonSessionId },
      success: HttpApiSchema.NoContent
    }).annotateMerge(
      operation({
        summary: "Sign somebody out of one browser",
        description:
          "Ends the session in this account, with all sessions that links made in it began, and theirs. Their open links are withdrawn.",
        example: "await account.consoleSessions.end(id)"
      })
    ),
    HttpApiEndpoint.delete("endPerson", "/console-sessions", {
      params: account,
      query: personQuery,
      success: HttpApiSchema.NoContent
    }).annotateMerge(
      operation({
        summary: "Sign a person out",
        description:
          "Ends all sessions of the person in this account and withdraws their open links. A person is a subject of the provider, or the user of an operator's link together with everyone they let in. Nothing happens if no person of that id is signed in. Rules of the provider let them in again until the operator changes them.",
        example: "await account.consoleSessions.endPerson(person)"
      })
    )
  )
  .annotate(OpenApi.Description, "Who is signed in to the Integrations page of an account.")
  .pipe(inAccount) {}
