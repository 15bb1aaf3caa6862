/** The guides of this repository: what a search finds first, and the path through each shelf. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as GuideFiles from "../../src/guides/GuideFiles.ts"
import { search } from "../../src/Search.ts"
import { siteOf } from "../../src/Site.ts"

const site = GuideFiles.read(new URL("../../../../", import.meta.url)).pipe(
  Effect.map((guides) => siteOf({ apis: [], guides, baseUrl: "https://runhook.example.com" })),
  Effect.provide(NodeServices.layer)
)

describe("the guides", () => {
  it.effect.each<readonly [query: string, guide: string]>([
    ["python", "sdk-python"],
    ["Python SDK", "sdk-python"],
    ["faq", "choosing"],
    ["temporal", "choosing"],
    ["caddy", "operating/one-server"],
    ["nginx", "operating/install"],
    ["terraform", "integrating/generate"],
    ["go", "sdk-go"],
    ["golang", "sdk-go"],
    ["java", "integrating/generate"],
    ["postman", "integrating/generate"],
    ["typescript", "sdk"],
    ["retry", "integrating"],
    ["cron", "integrating/schedules"],
    ["claude", "integrating/mcp"],
    ["playwright", "agents"],
    ["zod", "agents/schemas"],
    ["pydantic", "agents/schemas"],
    ["grafana", "operating/watch"],
    ["docker", "operating/install"],
    ["express", "embedding"],
    ["webhooks", "webhooks"],
    ["backup", "operating/backup"]
  ])("are found by %s: %s first", ([query, guide]) =>
    Effect.gen(function* () {
      const { sections } = yield* site

      assert.strictEqual(search(sections, query)[0]?.path, `/docs/guides/${guide}`)
    })
  )

  it.effect("are a path on each shelf: every page leads to the next, and from there back", () =>
    Effect.gen(function* () {
      const { navigation, pages } = yield* site
      const shelves = navigation.filter(({ title }) => title !== "References")
      const linkOf = (path: string, rel: string) =>
        new RegExp(`<a rel="${rel}" href="([^"]+)"`).exec(pages.get(path)?.body.text ?? "")?.[1]

      assert.includeMembers(
        shelves.map(({ title }) => title),
        ["Choose", "Integrate", "Write an agent", "Operate", "Embed"]
      )
      for (const { links, title } of shelves)
        for (const [index, { path }] of links.entries()) {
          assert.strictEqual(linkOf(path, "prev"), links[index - 1]?.path)
          assert.strictEqual(linkOf(path, "next"), links[index + 1]?.path)
          assert.include(pages.get(path)?.body.text, `${title}: ${index + 1} of ${links.length}`)
        }
    })
  )
})
