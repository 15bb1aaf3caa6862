/** All pages of the documentation, their navigation, and what a search looks through. */
import { type Guide, type GuideSource, guidesOf, shelved } from "./guides/Guide.ts"
import type { NavigationGroup, NavigationLink, Page } from "./Page.ts"
import { guidePages } from "./pages/GuidePage.ts"
import { indexPage } from "./pages/IndexPage.ts"
import { operationPage } from "./pages/OperationPage.ts"
import { referencePage } from "./pages/ReferencePage.ts"
import { apiPath, operationPath, type ServedApi } from "./reference/ServedApi.ts"
import { type Section, sectionsOf } from "./Search.ts"

export interface Site {
  readonly pages: ReadonlyMap<string, Page>
  readonly navigation: ReadonlyArray<NavigationGroup>
  readonly sections: ReadonlyArray<Section>
  /** The service's URL for callers. */
  readonly baseUrl: string
}

export interface SiteSource {
  /** In the order in which they are shown. */
  readonly apis: ReadonlyArray<ServedApi>
  readonly guides: ReadonlyArray<GuideSource>
  /** The service's URL for callers. */
  readonly baseUrl: string
}

export const siteOf = ({ apis, baseUrl, guides: sources }: SiteSource): Site => {
  const guides = guidesOf(sources)
  const pages = [
    indexPage(apis, shelved(guides)),
    ...shelved(guides).flatMap(guidePages),
    ...apis.flatMap((api) => [
      referencePage(api, baseUrl),
      ...operationsOf(api).map((operation) => operationPage(api, operation, baseUrl))
    ])
  ]
  return {
    baseUrl,
    pages: new Map(pages.map((page) => [page.path, page])),
    navigation: navigationOf(apis, guides),
    sections: pages.slice(1).flatMap(sectionsOf)
  }
}

const operationsOf = ({ reference: { subjects, webhooks } }: ServedApi) => [
  ...subjects.flatMap(({ operations }) => operations),
  ...webhooks
]

const navigationOf = (
  apis: ReadonlyArray<ServedApi>,
  guides: ReadonlyArray<Guide>
): ReadonlyArray<NavigationGroup> => [
  ...shelved(guides).map((shelf) => ({ title: shelf.title, links: shelf.guides })),
  { title: "References", links: apis.map(referenceLink) }
]

const referenceLink = (api: ServedApi): NavigationLink => {
  const { subjects, title, webhooks } = api.reference
  const sent = webhooks.length > 0 ? [{ title: "Callbacks sent", operations: webhooks }] : []
  return {
    path: apiPath(api),
    title,
    groups: [...subjects, ...sent].map(({ operations, title: subject }) => ({
      title: subject,
      links: operations.map(({ id, summary }) => ({ path: operationPath(api, id), title: summary }))
    }))
  }
}
