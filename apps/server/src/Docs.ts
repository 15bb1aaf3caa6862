/** The documentation that the service serves: its three APIs, and the guides of the clone it runs from. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { partOf } from "@runhook/contract/openapi/Document"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import * as DocsSite from "@runhook/docs-site/DocsSite"
import * as GuideFiles from "@runhook/docs-site/guides/GuideFiles"
import { servedApi } from "@runhook/docs-site/reference/ServedApi"
import { BaseUrl, linkTo } from "@runhook/http/BaseUrl"
import * as Effect from "effect/Effect"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

const root = new URL("../../../", import.meta.url)

/** The APIs that it has references of. Their documents are made when they are asked for. */
export const documented = [
  {
    name: "",
    documentPath: "/api/v1/integrations/openapi.json",
    keyVariable: "RUNHOOK_API_KEY",
    document: () => OpenApi.fromApi(IntegrationApi)
  },
  {
    name: "runner",
    documentPath: "/api/v1/runner/openapi.json",
    keyVariable: "RUNHOOK_RUNNER_KEY",
    document: () => OpenApi.fromApi(RunnerApi)
  },
  {
    name: "admin",
    documentPath: "/api/v1/admin/openapi.json",
    keyVariable: "RUNHOOK_ADMIN_KEY",
    document: () => OpenApi.fromApi(AdminApi)
  }
]

export const apis = () =>
  documented.map(({ document, ...where }) => servedApi({ ...where, document: partOf(document()) }))

export const guides = GuideFiles.read(root)

export const layer = DocsSite.layer({ apis, guides })

/** What a start page says where there is no demo. Browsers go on to the documentation. */
export const welcome = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const baseUrl = yield* BaseUrl
    const docs = linkTo(baseUrl, "/docs")
    const text = `Runhook queues task executions on agents, and tells of them by signed callbacks.
Documentation: ${docs}
The page for people: ${linkTo(baseUrl, "/integrations")}
`
    yield* router.add("GET", "/", HttpServerResponse.text(text, { status: 302, headers: { location: docs } }))
  })
)
