/** The files of this repository's documentation: its guides, the references of the three APIs, the search. */
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { siteOf } from "@runhook/docs-site/Site"
import { calledAt } from "@runhook/http/documents/OpenApiRoutes"
import { apis, documented, guides } from "@runhook/server/Docs"
import * as Effect from "effect/Effect"
import { rolldown } from "rolldown"
import { type Files, filesOf } from "./StaticSite.ts"

/** The examples call the service at the base URL. */
export const repositoryFiles = async (baseUrl: string): Promise<Files> => {
  const sources = await Effect.runPromise(Effect.provide(guides, NodeServices.layer))
  const documents = documented.map(({ document, documentPath }): [string, string] => [
    documentPath,
    JSON.stringify(calledAt(baseUrl, document()))
  ])
  return filesOf({
    site: siteOf({ apis: apis(), guides: sources, baseUrl }),
    documents: new Map(documents),
    searchScript: await searchScript()
  })
}

/** `search.js` with what it imports, for browsers. */
const searchScript = async (): Promise<string> => {
  const bundle = await rolldown({ input: fileURLToPath(new URL("search.js", import.meta.url)) })
  const { output } = await bundle.generate({ format: "iife", minify: true })
  await bundle.close()
  return output[0].code
}
