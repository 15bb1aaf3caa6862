/** Signing in to the Integrations page. Where a secret would stand, the example says only what its form is. */
import {
  ConsoleLinkCreated,
  ConsoleLinkPage,
  ConsoleSessionPage,
  NewConsoleLink,
  SessionDetail,
  SignInBody,
  SignInWays
} from "../../wire/SessionWire.ts"
import { exampleOf } from "./Example.ts"
import { ids, requestId, times } from "./Names.ts"

const link = {
  id: ids.consoleLink,
  person: ids.person,
  name: "Ada Lovelace",
  role: "viewer",
  maker: { kind: "operator", id: null, name: "Admin key 1" },
  state: "used",
  created_at: times.queued,
  expires_at: times.replayed
} as const

const session = {
  id: ids.consoleSession,
  person: ids.person,
  name: "Ada Lovelace",
  role: "viewer",
  by: "link",
  begun_at: times.queued,
  last_seen_at: times.stopped,
  expires_at: times.tonight,
  address: "198.51.100.23"
} as const

export const sessionExamples = [
  exampleOf(NewConsoleLink, { role: "viewer", name: "Ada Lovelace", expires_in_seconds: 3_600 }),
  exampleOf(ConsoleLinkPage, { data: [link], next_cursor: null, request_id: requestId }),
  exampleOf(ConsoleSessionPage, { data: [session], next_cursor: null, request_id: requestId }),
  exampleOf(ConsoleLinkCreated, {
    id: ids.consoleLink,
    person: ids.person,
    url: "https://runhook.example.com/integrations/sign-in#<token>",
    expires_at: times.replayed,
    request_id: requestId
  }),
  exampleOf(SignInBody, { token: "<what stands behind # in the link>" }),
  exampleOf(SignInWays, { oidc: false, request_id: requestId }),
  exampleOf(SessionDetail, {
    id: ids.consoleSession,
    person: ids.person,
    name: "Ada Lovelace",
    accounts: [
      { id: ids.account, name: "Acme", role: "viewer", session_id: ids.consoleSession, person: ids.person }
    ],
    method: "link",
    signed_in_at: times.queued,
    expires_at: times.nextWeek,
    idle_expires_at: times.tonight,
    request_id: requestId
  })
]
