/** Faults that would let somebody do in the Integrations page what they may not, or stay in it for too long. */
import type { Fault, NamedTest } from "../Fault.ts"

const memberAccess = "packages/http/src/authentication/MemberAccess.ts"
const crossSite = "packages/http/src/authentication/CrossSite.ts"
const session = "packages/core/src/domain/console/ConsoleSession.ts"
const provider = "packages/oidc/src/OpenIdProvider.ts"

const ofMembers = (title: string): NamedTest => ({
  file: "packages/http/test/admin/MemberAccess.test.ts",
  title
})
const ofSessions = (title: string): NamedTest => ({
  file: "packages/http/test/admin/Sessions.test.ts",
  title
})

const ofPeople = (title: string): NamedTest => ({
  file: "packages/core/test/usecases/People.test.ts",
  title
})
const ofStore = (title: string): NamedTest => ({
  file: "packages/store-pg/test/PgStore.test.ts",
  suite: "packages/store-testing/src/console/PeopleSuite.ts",
  title
})

const wouldDo = ofMembers("lets a viewer ask what a change would do, and makes no such change for them")
const stranger = ofMembers("lets a cookie change nothing for a page of another site")
const answer: NamedTest = {
  file: "apps/server/test/console/CompanySignIn.test.ts",
  title: "is taken only in answer to what was asked, which is never the same twice"
}

export const signingIn: ReadonlyArray<Fault> = [
  {
    name: "viewer-role",
    idea: "a viewer may change whatever an admin may",
    file: memberAccess,
    before: "return covers(role, access) ? accountId.value",
    after: "return covers(role, role) ? accountId.value",
    test: ofMembers("asks a viewer for more than that role wherever something changes, and nowhere else")
  },
  {
    name: "viewer-method",
    idea: "what changes an account is for viewers unless it deletes",
    file: "packages/contract/src/Access.ts",
    before: '(method === "GET" ? "viewer" : "admin")',
    after: '(method !== "DELETE" ? "viewer" : "admin")',
    test: {
      file: "packages/contract/test/Access.test.ts",
      title: "reading an account is for viewers, changing it for admins, and all else for operators"
    }
  },
  {
    name: "viewer-changing",
    idea: "a viewer may make the changes that they may ask about",
    file: memberAccess,
    before: 'roleIn(caller.memberships, accountId) !== "admin"',
    after: "roleIn(caller.memberships, accountId) === undefined",
    test: wouldDo
  },
  {
    name: "viewer-sight",
    idea: "a viewer calls a receiver in the name of the service, with a signature that they read",
    file: "packages/http/src/admin/Sight.ts",
    before: "(isFresh && signatures.has(name))",
    after: "(isFresh && signatures.has(given))",
    test: {
      file: "packages/http/test/admin/Viewers.test.ts",
      title: "is shown no fresh signature, no credentials and no query of a URL, wherever they look"
    }
  },
  {
    name: "viewer-replays",
    idea: "a viewer may replay deliveries",
    file: "packages/http/src/admin/ReplayHandlers.ts",
    before: "        yield* changing(id)\n",
    after: "",
    test: wouldDo
  },
  {
    name: "viewer-runs",
    idea: "a viewer may run tasks",
    file: "packages/http/src/admin/ExecutionHandlers.ts",
    before: "        yield* changing(accountId)\n",
    after: "",
    test: wouldDo
  },
  {
    name: "foreign-account",
    idea: "somebody who has signed in learns which accounts of others there are",
    file: memberAccess,
    before: "return yield* new AccountNotFound({ id: accountId.value })",
    after: 'return yield* new RoleTooLow({ required: "admin" })',
    test: ofMembers("answers for the account of somebody else exactly as for one that nobody has")
  },
  {
    name: "cross-site-header",
    idea: "a form of another site can change something",
    file: crossSite,
    before: 'isOwn(headers, baseUrl) && headers[consoleHeader] === "1"',
    after: "isOwn(headers, baseUrl)",
    test: stranger
  },
  {
    name: "cross-site-origin",
    idea: "a page of any origin can change something",
    file: crossSite,
    before: 'headers["origin"] === new URL(baseUrl).origin',
    after: 'headers["origin"] !== undefined',
    test: stranger
  },
  {
    name: "session-idle",
    idea: "a session that nobody has used for twelve hours goes on",
    file: session,
    before: "DateTime.isLessThan(at, idleExpiresAt(session))",
    after: "DateTime.isLessThan(at, session.expiresAt)",
    test: ofSessions("ends twelve hours after its last use, and keeping a page up to date is none")
  },
  {
    name: "session-week",
    idea: "a session that is used never ends",
    file: session,
    before: "DateTime.min(DateTime.addDuration(lastSeenAt, idleMax), expiresAt)",
    after: "DateTime.addDuration(lastSeenAt, idleMax)",
    test: ofSessions("ends after seven days, however much it is used")
  },
  {
    name: "session-signed-out",
    idea: "the cookie of who has signed out still opens",
    file: session,
    before: "session.endedAt === null && DateTime",
    after: "DateTime",
    test: ofSessions("is shown to whoever has it, and ends when they sign out")
  },
  {
    name: "link-used",
    idea: "a link signs in as often as it is used",
    file: "packages/core/src/domain/console/ConsoleLink.ts",
    before: 'if (usedAt !== null) return "used"',
    after: 'if (usedAt === null && expiresAt === null) return "used"',
    test: ofSessions("signs in once, with a cookie that scripts cannot read and other sites do not send")
  },
  {
    name: "link-used-pg",
    idea: "several who use a link at once are all signed in",
    file: "packages/store-pg/src/console/PgConsoleStore.ts",
    before: "FROM console_links WHERE id = ${uuid(asked.id)} FOR UPDATE`",
    after: "FROM console_links WHERE id = ${uuid(asked.id)}`",
    test: {
      file: "packages/store-pg/test/PgStore.test.ts",
      suite: "packages/store-testing/src/console/ConsoleStoreSuite.ts",
      title: "lets one of many have a link who use it at once"
    }
  },
  {
    name: "link-expired",
    idea: "a link of any age signs in",
    file: "packages/core/src/domain/console/ConsoleLink.ts",
    before: 'DateTime.isLessThan(at, expiresAt) ? "open" : "expired"',
    after: 'DateTime.isLessThan(at, expiresAt) ? "open" : "open"',
    test: ofSessions("opens nothing any more once it has expired, nor does one that nobody made")
  },
  {
    name: "oidc-state",
    idea: "a page can sign its visitor in as somebody else, by an answer of the provider that others asked for",
    file: provider,
    before: "expectedState: progress.state",
    after: "expectedState: client.skipStateCheck",
    test: answer
  },
  {
    name: "oidc-nonce",
    idea: "the nonce can be guessed",
    file: provider,
    before: "nonce: client.randomNonce()",
    after: 'nonce: "0"',
    test: answer
  },
  {
    name: "oidc-email-verified",
    idea: "an address that nobody has verified opens the accounts of its domain",
    file: "packages/oidc/src/ProviderClaims.ts",
    before: 'address["email_verified"] === true',
    after: 'address["email_verified"] !== undefined',
    test: {
      file: "apps/server/test/console/CompanySignIn.test.ts",
      title: "opens nothing by an address that nobody has verified, nor an account that there is not"
    }
  },
  {
    name: "oidc-signature",
    idea: "whoever gets between the service and its provider signs in as anybody",
    file: provider,
    before: "client.enableNonRepudiationChecks,",
    after: "",
    test: {
      file: "packages/oidc/test/OpenIdProvider.test.ts",
      title: "is signed by the provider, to the last bit"
    }
  },
  {
    name: "oidc-merged",
    idea: "an address that the provider vouches for in one place opens the accounts of one that it names in another",
    file: "packages/oidc/src/ProviderClaims.ts",
    before: 'speakingOf("email", "email_verified")',
    after: "Object.assign({}, ...sources.toReversed())",
    test: {
      file: "packages/oidc/test/OpenIdProvider.test.ts",
      title: "is never put together: an address counts where the same source says that it is verified"
    }
  },
  {
    name: "link-elsewhere",
    idea: "a page of another site signs its visitors in to an account of its own",
    file: "packages/http/src/admin/SessionHandlers.ts",
    before: "if (isSentElsewhere(request.headers, baseUrl))",
    after: 'if (isSentElsewhere(request.headers, baseUrl) && payload.token === "")',
    test: ofSessions("is not used up by a page of another site")
  },
  {
    name: "session-watched",
    idea: "a page that is left open keeps its session alive",
    file: "packages/http/src/authentication/AdminAuthenticators.ts",
    before: 'isWatching(request) ? "watching" : "using"',
    after: '"using"',
    test: ofSessions("ends twelve hours after its last use, and keeping a page up to date is none")
  },
  {
    name: "session-guest",
    idea: "whoever was let in by a member can put them out",
    file: "packages/core/src/usecases/ConsoleSessions.ts",
    before: "sessions.filter(({ maker }) => maker === null)",
    after: "sessions",
    test: ofPeople("whom a member let in signs out nobody but those whom they let in, also everywhere")
  },
  {
    name: "session-of-maker",
    idea: "a member's link signs in for longer than they are signed in themselves",
    file: "packages/core/src/domain/console/Beginning.ts",
    before: "latest === null ? end : DateTime.min(end, latest)",
    after: "end",
    test: ofPeople("lets nobody in for longer than they are in themselves")
  },
  {
    name: "link-of-maker",
    idea: "the link of a member who was put out still signs in",
    file: "packages/core/src/domain/console/ConsoleLink.ts",
    before: "(maker !== undefined && isOpen(maker, at))",
    after: "maker !== undefined",
    test: ofStore("signs nobody in by the link of a member whose session is over")
  },
  {
    name: "people-race",
    idea: "whoever signs in by a link while its maker is put out stays",
    file: "packages/store-pg/src/console/EndSessions.ts",
    before: "    ORDER BY id\n    FOR UPDATE`",
    after: "    ORDER BY id`",
    test: ofStore("lets nobody stay who signs in by a link while its maker is put out")
  },
  {
    name: "people-guests",
    idea: "whom somebody let in stays when they are put out",
    file: "packages/store-pg/src/console/EndSessions.ts",
    before: "AND begun.maker = made.id",
    after: "AND begun.id = made.id",
    test: ofStore("ends with a session all that its links began, and what those began, and nothing above it")
  },
  {
    name: "acting-key",
    idea: "a revoked key runs tasks, when an operator names it",
    file: "packages/core/src/usecases/ActingKeys.ts",
    before: "if (isUsable(key, yield* DateTime.now)) return key",
    after: "if (isUsable(key, yield* DateTime.now) || key.revokedAt !== null) return key",
    test: {
      file: "packages/http/test/admin/Executions.test.ts",
      title: "keep to what the key may use, and need a key that opens something"
    }
  }
]
