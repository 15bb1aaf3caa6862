/** The service's URL for callers, without a slash at the end: the beginning of every link it hands out. */
import * as Context from "effect/Context"

export class BaseUrl extends Context.Service<BaseUrl, string>()("@runhook/http/BaseUrl") {}
