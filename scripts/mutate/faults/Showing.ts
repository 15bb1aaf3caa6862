/** Faults by which the Integrations page would miss what happens, show what is not so, or let what strangers wrote act. */
import type { Fault, NamedTest } from "../Fault.ts"

const ring = "packages/core/src/ChangeRing.ts"
const checker = "packages/console/src/views/deliveries/SignatureCheck.ts"

const ofRing: NamedTest = {
  file: "packages/core/test/ChangeRing.test.ts",
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
  suite: "packages/store-testing/src/HistorySuite.ts",
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
    before: "key: yield* StillOpen",
    after: "key: null",
    test: {
      file: "packages/http/test/admin/Changes.test.ts",
      title: "are shown to viewers of the account, until they sign out, and to nobody else"
    }
  },
  {
    name: "counts-stop",
    idea: "what a process counted last is forgotten when it stops",
    file: "packages/core/src/Tally.ts",
    before: "Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(store), farewellMax))",
    after: "Effect.void",
    test: {
      file: "packages/core/test/usecases/Tally.test.ts",
      title: "stores what is left when the process stops"
    }
  },
  {
    name: "counts-away",
    idea: "what could not be stored is forgotten",
    file: "packages/core/src/Tally.ts",
    before: "        sheet = unstored\n",
    after: "",
    test: {
      file: "packages/core/test/usecases/Tally.test.ts",
      title: "keeps what a store that is away could not take, with what comes meanwhile"
    }
  },
  {
    name: "file-type",
    idea: "a file is shown as what its runner says it is",
    file: "packages/http/src/admin/ExecutionHandlers.ts",
    before: 'contentType: shownAs ?? "application/octet-stream"',
    after: "contentType: shownAs ?? artifact.contentType",
    test: ofFiles
  },
  {
    name: "file-saved",
    idea: "a file is opened in the page whatever it is",
    file: "packages/http/src/admin/ExecutionHandlers.ts",
    before: 'shownAs === null || query.download === "true"',
    after: 'query.download === "true"',
    test: ofFiles
  },
  {
    name: "file-bytes",
    idea: "a picture is any file that has the bytes of one somewhere",
    file: "packages/core/src/domain/ShownAs.ts",
    before: "text.startsWith(bytes, at)",
    after: "text.startsWith(bytes.slice(0, 3), at)",
    test: { file: "packages/core/test/domain/ShownAs.test.ts", title: "is nothing of what begins with " }
  },
  {
    name: "progress-epoch",
    idea: "a runner that lost its work still says how far it is",
    file: "packages/store-memory/src/MemoryHistoryStore.ts",
    before: "              run.lease.epoch === epoch &&\n",
    after: "",
    test: ofReports("packages/store-memory/test/MemoryStore.test.ts")
  },
  {
    name: "progress-epoch-pg",
    idea: "a runner that lost its work still says how far it is",
    file: "packages/store-pg/src/PgHistoryStore.ts",
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
  }
]
