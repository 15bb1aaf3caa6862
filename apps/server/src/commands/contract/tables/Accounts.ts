/** Accounts, their keys, and the people who may see them. */
import { retentionDaysMax, retentionDaysMin } from "@runhook/core/sweeps/Retention"
import { label, refuse, type Rows } from "../Row.ts"

export const accounts: Rows = {
  create: {
    args: [label],
    examples: [{ command: 'runhook accounts create "Acme"', description: "Create an account for Acme" }]
  },
  keep: {
    call: "accounts.update",
    of: "account",
    says: "Set how long the finished executions of an account are kept",
    takes: [
      {
        field: "retention_days",
        flag: "days",
        says: "Days after their end; as long as the service keeps any unless given",
        unlessGiven: null,
        between: { minimum: retentionDaysMin, maximum: retentionDaysMax }
      }
    ],
    examples: [
      { command: "runhook accounts keep --account Acme --days 90", description: "Remove them after 90 days" }
    ]
  },
  limit: {
    call: "accounts.update",
    of: "account",
    says: "Set what all keys of an account may ask for together",
    takes: [
      { field: "rate_limit.per_second", says: "Requests a second of all its integration keys" },
      {
        field: "rate_limit.burst",
        says: "Requests at once, beside --per-second; ten times as many unless given"
      },
      { field: "max_live", says: "Unfinished executions of all its keys" },
      {
        flag: "default",
        says: "Give it the limits of the service, but for what else is named",
        sets: { rate_limit: null, max_live: null }
      }
    ],
    completes: (given) => {
      const { "rate_limit.burst": burst, "rate_limit.per_second": perSecond } = given
      if (typeof perSecond === "number") return { "rate_limit.burst": 10 * perSecond, ...given }
      if (burst !== undefined) refuse("--burst goes with --per-second: name both")
      return given
    },
    examples: [
      {
        command: "runhook accounts limit --account Acme --per-second 200 --burst 2000",
        description: "Twice as many requests as others have"
      }
    ]
  },
  list: {
    says: "List the accounts, newest first",
    columns: "id name rate_limit.per_second max_live retention_days created_at"
  }
}

export const keys: Rows = {
  create: {
    takes: [label, "allowed_agent_ids", "allowed_task_ids"],
    examples: [
      {
        command: 'runhook keys create --account Acme --name "Order system" --task fetch-page',
        description: "A key that may run one task only"
      }
    ]
  },
  list: { columns: "id name prefix last_used_at expires_at revoked_at created_at" },
  get: {},
  revoke: {},
  rotate: { takes: ["overlap_seconds"] },
  "rotate-signing-secret": {
    takes: [
      {
        field: "mode",
        says: "immediate: the old secret is lost or leaked; staged: receivers learn the new one first",
        unlessGiven: "staged"
      },
      "overlap_seconds"
    ]
  },
  reseal: { call: "secretKeys.reseal", of: "service" }
}

export const runnerKeys: Rows = {
  create: { takes: [label, "agent_ids"] },
  list: { columns: "id name prefix agent_ids revoked_at created_at" },
  revoke: {}
}

/** A command without a noun above it. */
export const consoleLink: Rows = {
  "console-link": {
    call: "consoleLinks.create",
    says: "Make a link that signs one person in to the Integrations page, once. It is printed this once.",
    takes: ["role", "name", "expires_in_seconds"],
    examples: [
      { command: "runhook console-link", description: "For yourself, where there is one account" },
      {
        command: 'runhook console-link --account Acme --role viewer --name "Ada Lovelace"',
        description: "For somebody who may look and not change"
      }
    ]
  }
}

export const consoleLinks: Rows = {
  list: { columns: "id name role state maker.name created_at expires_at" },
  withdraw: {}
}

export const consoleSessions: Rows = {
  list: { columns: "id person name role by last_seen_at address" },
  end: {},
  "end-person": {
    args: [{ field: "person", says: "Whose sessions end: `person` in the list" }]
  }
}
