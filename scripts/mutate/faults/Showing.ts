/** Faults by which the Integrations page would miss what happens, show what is not so, or let what strangers wrote act. */
import type { Fault, NamedTest } from "../Fault.ts"

const ring = "packages/core/src/runtime/ChangeRing.ts"
const checker = "packages/console/src/views/deliveries/SignatureCheck.ts"

const ofRing: NamedTest = {
  file: "packages/core/test/runtime/ChangeRing.test.ts",
  title:
    "resets who comes from another ring, from further back than it knows, or from before something was lost"
}
const ofFiles: NamedTest = {
  file: "packages/http/test/admin/Files.test.ts",
  title: "are saved, not shown, whatever they say of themselves"
}
const ofChecker = (title: string): NamedTest => ({
  file: "packages/console/test/views/deliveries/SignatureCheck.test.ts",
  title
})
const ofReports = (file: string): NamedTest => ({
  file,
  suite: "packages/store-testing/src/executions/HistorySuite.ts",
  title: "keeps the last word on work that is under way, and no other"
})

export const showing: ReadonlyArray<Fault> = [
  {
    name: "ring-gap",
    idea: "a viewer who has missed more than is kept is told of what is left, as if that were all",
    file: ring,
    before: "missed < 0 || missed > this.#latest.length",
    after: "missed < 0",
    test: ofRing
  },
  {
    name: "ring-other",
    idea: "a viewer who comes from another process is told nothing of what they missed",
    file: ring,
    before: "ring === `${this.#name}.${this.#lost}`",
    after: 'ring !== ""',
    test: ofRing
  },
  {
    name: "ring-lost",
    idea: "a viewer is not told that news was lost",
    file: ring,
    before: "    this.#lost += 1\n",
    after: "",
    test: ofRing
  },
  {
    name: "stream-session",
    idea: "a viewer who has signed out still hears what changes",
    file: "packages/http/src/admin/ChangeHandlers.ts",
    before: "key: yield* stillOpen",
    after: "key: null",
    test: {
      file: "packages/http/test/admin/Changes.test.ts",
      title: "are shown to viewers of the account, until they sign out, and to nobody else"
    }
  },
  {
    name: "counts-stop",
    idea: "what a process counted last is forgotten when it stops",
    file: "packages/core/src/runtime/Tally.ts",
    before: "Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(store), farewellMax))",
    after: "Effect.void",
    test: {
      file: "packages/core/test/runtime/Tally.test.ts",
      title: "stores what is left when the process stops"
    }
  },
  {
    name: "counts-away",
    idea: "what could not be stored is forgotten",
    file: "packages/core/src/runtime/Tally.ts",
    before: "        sheet = unstored\n",
    after: "",
    test: {
      file: "packages/core/test/runtime/Tally.test.ts",
      title: "keeps what a store that is away could not take, with what comes meanwhile"
    }
  },
  {
    name: "file-type",
    idea: "a file that nobody knows is shown as a page",
    file: "packages/http/src/documents/FileAnswer.ts",
    before: 'contentType: type ?? "application/octet-stream"',
    after: 'contentType: type ?? "text/html"',
    test: ofFiles
  },
  {
    name: "file-saved",
    idea: "a file is opened in the page whatever it is",
    file: "packages/http/src/documents/FileAnswer.ts",
    before: 'type === null ? "attachment" : disposition',
    after: "disposition",
    test: ofFiles
  },
  {
    name: "file-bytes",
    idea: "a picture is any file that has the bytes of one somewhere",
    file: "packages/core/src/domain/artifact/ShownMediaType.ts",
    before: "text.startsWith(bytes, at)",
    after: "text.startsWith(bytes.slice(0, 3), at)",
    test: {
      file: "packages/core/test/domain/artifact/ShownMediaType.test.ts",
      title: "is nothing of what begins with "
    }
  },
  {
    name: "progress-epoch",
    idea: "a runner that lost its work still says how far it is",
    file: "packages/store-memory/src/executions/MemoryHistoryStore.ts",
    before: "              run.lease.epoch === epoch &&\n",
    after: "",
    test: ofReports("packages/store-memory/test/MemoryStore.test.ts")
  },
  {
    name: "progress-epoch-pg",
    idea: "a runner that lost its work still says how far it is",
    file: "packages/store-pg/src/executions/PgHistoryStore.ts",
    before: "AND e.epoch = said.epoch AND",
    after: "AND",
    test: ofReports("packages/store-pg/test/PgStore.test.ts")
  },
  {
    name: "words-text",
    idea: "what strangers wrote becomes part of the page",
    file: "packages/console/src/parts/Words.tsx",
    before: "            segment.text\n",
    after: "            <b dangerouslySetInnerHTML={{ __html: segment.text }} />\n",
    test: { file: "apps/server/test/console/Hostile.test.ts", title: "is text in: ", ending: "delivery" }
  },
  {
    name: "words-hidden",
    idea: "a text can turn round what stands behind it, and nobody sees by what",
    file: "packages/console/src/format/Hidden.ts",
    before: "\\u2028-\\u202e",
    after: "\\u2028\\u2029",
    test: { file: "packages/console/test/format/Hidden.test.ts", title: "are drawn as marks: " }
  },
  {
    name: "checker-timestamp",
    idea: "the checker calls the right secret a wrong one",
    file: checker,
    before: "sign(secret, payload + timestamp)",
    after: "sign(secret, payload)",
    test: ofChecker("finds nothing wrong with what was sent")
  },
  {
    name: "checker-body",
    idea: "the checker calls a body right that has a line break too many",
    file: checker,
    before: 'if (typed === sent) return { isRight: true, words: "is the one that was sent, byte by byte" }',
    after:
      'if (typed.trim() === sent) return { isRight: true, words: "is the one that was sent, byte by byte" }',
    test: ofChecker("by its place among the bytes")
  },
  {
    name: "checker-secret",
    idea: "the checker does not say that a secret was replaced",
    file: checker,
    before: "for (const other of others) {",
    after: "for (const other of others.slice(1)) {",
    test: ofChecker("says of the secret ")
  },
  {
    name: "changes-foreign",
    idea: "a viewer hears what changes in other accounts",
    file: "packages/core/src/runtime/Watchers.ts",
    before: "this.#hearersOf.get(accountIn(word))",
    after: "[...this.#hearersOf.values()][0]",
    test: { file: "packages/core/test/usecases/Changes.test.ts", title: "hears nothing of other accounts" }
  },
  {
    name: "changes-left",
    idea: "a viewer who has gone keeps the place of another",
    file: "packages/core/src/usecases/Changes.ts",
    before: "count(-1)",
    after: "count(0)",
    test: {
      file: "packages/core/test/usecases/ChangesEnd.test.ts",
      title: "is refused when there are too many, and let in when one has left"
    }
  },
  {
    name: "key-last-used",
    idea: "a key was last used when the slowest process says so",
    file: "packages/store-pg/src/usage/AddCounts.ts",
    before: "      WHERE k.last_used_at < excluded.last_used_at",
    after: "      WHERE TRUE",
    test: {
      file: "packages/store-pg/test/PgStore.test.ts",
      suite: "packages/store-testing/src/usage/UsageStoreSuite.ts",
      title: "knows when a key was last used, in whichever order it is told"
    }
  },
  {
    name: "counts-added",
    idea: "of what several processes count, only the latest is kept",
    file: "packages/store-pg/src/usage/AddCounts.ts",
    before: "`${column} = u.${column} + excluded.${column}`",
    after: "`${column} = excluded.${column}`",
    test: {
      file: "packages/store-pg/test/PgStore.test.ts",
      suite: "packages/store-testing/src/usage/UsageStoreSuite.ts",
      title: "adds up what several processes have counted"
    }
  },
  {
    name: "file-sandbox",
    idea: "a script in a file of a runner acts as the page",
    file: "packages/http/src/documents/FileAnswer.ts",
    before: "sandbox; default-src 'none'",
    after: "default-src 'none'",
    test: ofFiles
  },
  {
    name: "page-policy",
    idea: "a page of another site shows this one in a frame, and lets people press its buttons",
    file: "apps/server/src/console/ConsoleRoutes.ts",
    before: "frame-ancestors 'none'",
    after: "frame-ancestors *",
    test: {
      file: "apps/server/test/console/Files.test.ts",
      title: "lets nothing run, load or frame it that is not its own"
    }
  },
  {
    name: "usage-foreign-pg",
    idea: "the receivers of an account are shown to others",
    file: "packages/store-pg/src/usage/ListReceivers.ts",
    before: "${sql(table)}.bucket = ${smallint(bucket)} AND ${sql(table)}.account_id = ${uuid(accountId)}`",
    after: "${sql(table)}.bucket = ${smallint(bucket)}`",
    test: {
      file: "packages/store-pg/test/PgStore.test.ts",
      suite: "packages/store-testing/src/isolation/IsolationSuite.ts",
      title: "hides what is an account's from its neighbour",
      ending: "list receivers"
    }
  },
  {
    name: "drain-foreign-pg",
    idea: "an account sends the runners of others away",
    file: "packages/store-pg/src/runs/Sessions.ts",
    before:
      "WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND id = ${uuid(id)}\n        FOR UPDATE`)\n      if (before === undefined) return yield* new SessionNotFound({ id })\n      if (before.drain",
    after:
      "WHERE bucket = ${smallint(bucket)} AND id = ${uuid(id)}\n        FOR UPDATE`)\n      if (before === undefined) return yield* new SessionNotFound({ id })\n      if (before.drain",
    test: {
      file: "packages/store-pg/test/PgStore.test.ts",
      suite: "packages/store-testing/src/isolation/IsolationSuite.ts",
      title: "hides what is an account's from its neighbour",
      ending: "drain a runner session"
    }
  }
]
