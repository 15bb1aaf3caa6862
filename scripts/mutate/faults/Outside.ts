/** Faults that would believe what callers, proxies, receivers and other servers send. */
import { type Fault, inStore } from "../Fault.ts"

export const outside: ReadonlyArray<Fault> = [
  {
    name: "forwarded-port",
    idea: "each port of a caller is another address, so that wrong keys are never counted",
    file: "packages/http/src/pipeline/request/Forwarding.ts",
    before: "(\\d+(?:\\.\\d+){3}):[\\w.-]+$/.exec(text)?.[1] ??",
    after: "(\\d+(?:\\.\\d+){3}):none$/.exec(text)?.[1] ??",
    test: {
      file: "packages/http/test/pipeline/request/CallerAddress.test.ts",
      title: "the address in what a trusted proxy wrote"
    }
  },
  {
    name: "forwarded-quotes",
    idea: "a comma in quotes ends an element of Forwarded, so that a caller chooses the address",
    file: "packages/http/src/pipeline/request/Forwarding.ts",
    before: "if (list[at] === '\"') isQuoted = !isQuoted",
    after: "if (list[at] === '\"') isQuoted = false",
    test: {
      file: "packages/http/test/pipeline/request/CallerAddress.test.ts",
      title: "the address in what a trusted proxy wrote"
    }
  },
  {
    name: "path-ends-early",
    idea: "/metrics;a passes a proxy that hides /metrics",
    file: "packages/http/src/pipeline/request/RequestTarget.ts",
    before: "if (/[;#]/.test(path)) return endsEarly",
    after: "if (/[#]/.test(path)) return endsEarly",
    test: { file: "apps/server/test/network/RequestTarget.test.ts", title: "is refused at every route" }
  },
  {
    name: "stream-bytes",
    idea: "event streams wait for nobody, whatever they have sent",
    file: "packages/http/src/limits/ResponseShare.ts",
    before: "this.#budget.send(this.#owner, bytes), some)",
    after: "this.#budget.send(this.#owner, 0), some)",
    test: {
      file: "packages/http/test/limits/ResponsePlaces.test.ts",
      title: "counts each byte that is sent of",
      ending: "the events of an execution"
    }
  },
  {
    name: "terminal-characters",
    idea: "what others wrote turns the direction of a terminal, or clears it",
    file: "apps/server/src/output/Writer.ts",
    before: "export const printError = (text: string) => Console.error(visible(text))",
    after: "export const printError = (text: string) => Console.error(text)",
    test: {
      file: "apps/server/test/output/Writer.test.ts",
      title: "is clean on both outputs"
    }
  },
  {
    name: "folder-as-file",
    idea: "a file is named .., which is the folder above",
    file: "packages/core/src/artifacts/Artifact.ts",
    before: "[^${noFileName}. ]",
    after: "[^${noFileName}]",
    test: { file: "packages/core/test/artifacts/FileName.test.ts", title: "may not be " }
  },
  {
    name: "interim-answer",
    idea: "a receiver that sends an interim answer gets the event again and again",
    file: "packages/guarded-http/src/InterimAnswers.ts",
    before: "if (status >= 200) {",
    after: "if (status >= 100) {",
    test: {
      file: "packages/guarded-http/test/InterimAnswers.test.ts",
      title: "leaves the decision to the answer behind it"
    }
  },
  {
    name: "unmade-attempt",
    idea: "a delivery that was never sent uses up its attempts",
    file: "packages/webhook-dispatcher/src/SendAttempt.ts",
    before: "isUnmade: verdict !== undefined",
    after: "isUnmade: verdict === null",
    test: { file: "packages/webhook-dispatcher/test/Unmade.test.ts", title: "and uses up no attempt" }
  },
  {
    name: "tls-any-authority",
    idea: "sslmode=require with an authority takes the certificate of any other",
    file: "packages/store-pg/src/connections/Tls.ts",
    before: '(mode === "require" && rootCert === null)',
    after: 'mode === "require"',
    test: {
      file: "packages/store-pg/test/connections/Tls.test.ts",
      title: "is what the URL asks for"
    }
  },
  {
    name: "tls-any-name",
    idea: "sslmode=verify-full takes the certificate of another host",
    file: "packages/store-pg/src/connections/Tls.ts",
    before: '...(mode !== "verify-full" && {',
    after: '...(mode !== "disable" && {',
    test: {
      file: "packages/store-pg/test/connections/Tls.test.ts",
      title: "is refused for what is wrong with the certificate"
    }
  },
  {
    name: "session-settings",
    idea: "the database decides how a session writes its values",
    file: "packages/store-pg/src/connections/SessionSettings.ts",
    before: "startupParameters: { ...parameters, ...options.startupParameters }",
    after: "startupParameters: { ...options.startupParameters }",
    test: {
      file: "packages/store-pg/test/connections/SessionSettings.test.ts",
      title: "has what the service needs, whatever is the default"
    }
  },
  {
    name: "database-encoding",
    idea: "texts are kept in a database that cannot hold them all",
    file: "packages/store-pg/src/connections/SessionSettings.ts",
    before: 'return value === "UTF8"',
    after: 'return value !== ""',
    test: {
      file: "packages/store-pg/test/connections/SessionSettings.test.ts",
      title: "in a database of the encoding"
    }
  },
  {
    name: "value-without-json",
    idea: "a Map is sent as an empty object",
    file: "packages/sdk/src/call/Json.ts",
    before: "return prototype === null || Object.getPrototypeOf(prototype) === null",
    after: "return prototype === null || Object.getPrototypeOf(prototype) !== undefined",
    test: { file: "packages/sdk/test/call/Calls.test.ts", title: "is refused with a parameter that is none" }
  },
  {
    name: "secret-with-line-end",
    idea: "a secret from a file, with its line end, verifies nothing",
    file: "packages/sdk/src/webhooks/Secrets.ts",
    before: 'String(secret ?? "").trim())',
    after: 'String(secret ?? ""))',
    test: { file: "packages/sdk/test/webhooks/Verify.test.ts", title: "takes a secret as files have it" }
  },
  {
    name: "batch-in-order",
    idea: "items of a batch that take seats are decided in any order",
    file: "packages/core/src/executions/create/InOrder.ts",
    before: "if (isAlone) yield* makeThese\n    together",
    after: "together",
    test: inStore(
      "pg",
      "executions/CreateOrderSuite",
      "decides the creates of a request as if each was made after the one before it"
    )
  }
]
