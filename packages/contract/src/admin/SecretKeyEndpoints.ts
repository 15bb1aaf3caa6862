/** The secret keys that the operator sets, under which everything is sealed. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AdminAuthorization } from "../Authorization.ts"
import { RateLimiting, RequestRules } from "../RequestRules.ts"
import { SecretKeysResealed } from "../wire/SecretKeyWire.ts"

export class SecretKeyEndpoints extends HttpApiGroup.make("secretKeys")
  .add(
    HttpApiEndpoint.post("reseal", "/secret-keys/reseal", { success: SecretKeysResealed })
      .annotate(OpenApi.Summary, "Seal everything under the newest secret key")
      .annotate(
        OpenApi.Description,
        "Opens every signing secret and seals it under the newest secret key. The answer says which older keys are no longer needed."
      )
  )
  .middleware(RequestRules)
  .middleware(RateLimiting)
  .middleware(AdminAuthorization)
  .prefix("/api/v1/admin")
  .annotate(OpenApi.Description, "The secret keys of the service.") {}
