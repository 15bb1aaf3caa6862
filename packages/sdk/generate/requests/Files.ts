/** The generated requests and calls of the SDK for TypeScript, by their path in it. */
import { definitions } from "../Definitions.ts"
import type { Client } from "../Operation.ts"
import { isShared, nounsOf, of } from "./Nouns.ts"
import { linkText, nounText, requestText } from "./Printer.ts"

interface File {
  readonly says: string
  readonly clients: ReadonlyArray<Client>
  /** What the calls need of a client. */
  readonly client: string
}

const files: Readonly<Record<string, File>> = {
  Integration: {
    says: "The calls of the integration API.",
    clients: ["runhook"],
    client: "IntegrationClient"
  },
  Account: {
    says: "The calls of the admin API for one account.",
    clients: ["account"],
    client: "AdminClient"
  },
  Service: {
    says: "The calls of the admin API outside of accounts.",
    clients: ["admin"],
    client: "AdminClient"
  },
  Runner: { says: "The requests of the runner API.", clients: ["runner"], client: "AdminClient" }
}

/** Where the names come from that the code may use, each file before those that repeat its names. */
const sources: ReadonlyArray<readonly [path: string, names: ReadonlyArray<string>, isType: boolean]> = [
  ...(["Integration", "Admin", "Runner"] as const).map(
    (api) =>
      [
        `../wire/${api}.ts`,
        definitions.filter((each) => each.api === api).map(({ name }) => name),
        true
      ] as const
  ),
  ["../wire/TaskTypes.ts", ["OfTask", "TaskSlug", "WithParams"], true],
  ["./Batches.ts", ["withKeys"], false],
  ["./Client.ts", ["AdminClient", "ClientTypes", "IntegrationClient"], true],
  [
    "./Describe.ts",
    ["get", "idempotentPost", "list", "patch", "pathOf", "post", "postOnce", "put", "remove", "waitingGet"],
    false
  ],
  ["./Options.ts", ["CreateFields", "GetFields"], true],
  ["./Request.ts", ["Request"], true]
]

const importsOf = (code: string): string =>
  sources
    .map(([path, names, isType]) => {
      const used = names.filter((name) => new RegExp(`(?<![\\w."])${name}\\b(?!:)`).test(code)).toSorted()
      if (used.length === 0) return ""
      const line = `import ${isType ? "type " : ""}{ ${used.join(", ")} } from "${path}"\n`
      return line.length <= 111
        ? line
        : line.replace(/ (?=\w+[, ])(?!from|type)/g, "\n  ").replace(" }", "\n}")
    })
    .join("")

const textOf = ({ client, clients, says }: File): string => {
  const own = of(...clients)
  const requests = own.filter(isShared).map(requestText)
  const links = own.filter(({ call }) => call === "files.download").map(linkText)
  const nouns = clients.flatMap(nounsOf).map((noun) => nounText(noun, client))
  const body = [...requests, ...links, ...nouns].join("\n")
  const code = body.replaceAll(/\/\*\*[^]*?\*\//g, "")
  return `/** ${says} Generated from the contract by \`npm run generate\`: do not edit. */\n${importsOf(code)}\n${body}`
}

export const requestFiles: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(files).map(([name, file]) => [`src/requests/${name}.generated.ts`, textOf(file)])
)
