/** The page of limits in the documentation: its numbers are those that the service counts with. */
import { lookUpsMax } from "@runhook/http/authentication/FailedKeys"
import { refusalTurns, refusalWaitMax } from "@runhook/http/limits/RateLimits"
import { alerts, callbacks, figures } from "./Callbacks.ts"
import { executions, files, mcp, runners, schedules } from "./Executions.ts"
import { following, keys, page, people } from "./People.ts"
import { answers, rates, requests } from "./Requests.ts"
import { json, names, schemas } from "./Values.ts"
import { count, type LimitSection, span } from "./Words.ts"

const sectionOf = ({ rows, title }: LimitSection): string =>
  [
    `## ${title}`,
    "",
    "| Item | Limit |",
    "|---|---|",
    ...rows.map((row) => `| ${row.join(" | ")} |`),
    ""
  ].join("\n")

const ofKeys = `What members give a key is at most what its account has: more is 403 with \`details: {reason: "above_account_limit", field, limit}\`. An operator who gives a key more raises the limit of its account with it, and sets that by \`PATCH /api/v1/admin/accounts/{account_id}\` or \`runhook accounts limit\`. A limit that is lowered holds for every key, whatever the key has.
There is no limit to the number of keys, agents or tasks: what they may do together is limited. The capacity, timeouts and retries of agents and tasks cost their own account.
`

const ofRates = `Refusals take turns too: beyond ${count(refusalTurns.burst)} at once and ${count(refusalTurns.perSecond)} a second of an account and an API, a 429 for too many requests comes up to ${span(refusalWaitMax)} later.

Each process counts requests for itself. \`off\` lifts a request limit that has a setting. Every answer to a valid key says what is left, in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`; unknown paths (404) and methods (405) are answered without looking at keys.
A key that worked within the last hour is let through at once, however many invalid ones come from its address. Any other valid key waits its turn among them, a second at most.
While an address has more than ${count(lookUpsMax)} invalid keys in flight at once, keys that are new to the process are refused from there too; keys that worked before still work.
`

const ofNumbers = `A larger integer would lose its last digits, so it is refused with its path: 422 when an execution is
created, 400 elsewhere. Send such numbers as text. In a query, a number is digits alone.

"Characters" are Unicode code points.
`

export const limitsPage = [
  "# Limits\n",
  sectionOf(requests),
  sectionOf(rates),
  ofRates,
  sectionOf(keys),
  ofKeys,
  sectionOf(answers),
  sectionOf(names),
  sectionOf(json),
  ofNumbers,
  ...[
    schemas,
    executions,
    runners,
    files,
    schedules,
    callbacks,
    alerts,
    figures,
    following,
    people,
    mcp,
    page
  ].map(sectionOf)
].join("\n")
