import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { BaseUrl } from "@runhook/http/BaseUrl"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as DocsSite from "../src/DocsSite.ts"
import { servedApi } from "../src/reference/ServedApi.ts"

const api = servedApi({
  name: "",
  documentPath: "/openapi.json",
  keyVariable: "KEY",
  document: { info: { title: "Things <API>", version: "1" }, paths: {} }
})

/** A host of its own, without guides. */
const host = Effect.acquireRelease(
  Effect.sync(() =>
    HttpRouter.toWebHandler(
      DocsSite.layer({ apis: () => [api], guides: Effect.succeed([]) }).pipe(
        Layer.provide([Layer.succeed(BaseUrl, "https://host.example"), NodeServices.layer])
      ),
      { disableLogger: true }
    )
  ),
  ({ dispose }) => Effect.promise(dispose)
)

const textOf = (answer: Promise<Response>) => Effect.promise(async () => await (await answer).text())

describe("the documentation in a host without guides", () => {
  it.effect("leads to the references alone", () =>
    Effect.gen(function* () {
      const { handler } = yield* host

      const index = yield* textOf(handler(new Request("https://host.example/docs")))
      const reference = yield* textOf(handler(new Request("https://host.example/docs/api")))

      assert.notInclude(index, "/docs/guides/")
      assert.include(index, '<a href="/docs/api">Things &lt;API&gt;</a>')
      assert.include(reference, "<code>https://host.example</code>")
    })
  )
})
