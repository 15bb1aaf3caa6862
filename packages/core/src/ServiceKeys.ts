/** The key ring of this host: seals signing secrets and the pepper, signs file grants. */
import * as Context from "effect/Context"
import type { KeyRing } from "./signing/KeyRing.ts"

export class ServiceKeys extends Context.Service<ServiceKeys, KeyRing>()("@runhook/core/ServiceKeys") {}
