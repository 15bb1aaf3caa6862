/** `runhook openapi`: the documents that a server would serve. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { print } from "../output/Writer.ts"

export const openapiCommand = Command.make(
  "openapi",
  {
    api: Argument.Literals("api", ["integration", "runner", "admin"]).pipe(
      Argument.withDescription("Which of the APIs"),
      Argument.withDefault("integration")
    )
  },
  ({ api }) =>
    Effect.flatMap(
      Effect.promise(() => import("./OpenApiDocuments.ts")),
      ({ documents }) => print(JSON.stringify(documents[api](), null, 2))
    )
).pipe(Command.withDescription("Print the OpenAPI document of an API"))
